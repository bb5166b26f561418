#!/bin/sh
# make bench, make bench-live, make bench-simulation: measures one part of doc/benchmarks.md, the first two beside the peers that this
# machine has, and writes the page anew; the other parts stay as they were measured.
#
#   bench.sh peers|live|simulation BUILD_FOLDER DOC_FOLDER
#
# GRAPH=NODES:ARCS_PER_NODE or a path: another graph for the rows of graphs (tests/bench/bench_peers.c).
#
# DOC_FOLDER/benchmarks.tsv holds the rows: part, what, unit, lycosa, peer, peer's figure, command, with "-" for no peer; a line
# "# PART: ..." says when, on what, and of which commit they are.
set -eu
part=$1 build=$2 doc=$3
here=$(cd "$(dirname "$0")" && pwd)
rows=$doc/benchmarks.tsv
new=$(mktemp)
trap 'rm -f "$new" "$new.rows" "$new.hosts"' EXIT

provenance() {
	commit=$(git -C "$here" log -1 --format=%h 2>/dev/null || echo unknown)
	[ -z "$(git -C "$here" status --porcelain -uno -- ':!doc' 2>/dev/null)" ] || commit="$commit with changes"
	processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	printf '%s, commit %s, %s, %s processors, load %s before and %s after' "$(date -u +%Y-%m-%d)" "$commit" \
		"${processor:-unknown processor}" "$(nproc)" "$load" "$(cut -d ' ' -f 1 /proc/loadavg)"
}

load=$(cut -d ' ' -f 1 /proc/loadavg)
case $part in
peers)
	# shellcheck disable=SC2086 # no word, or one
	"$build/tests/bench/bench_peers" ${GRAPH:-} | tee "$new.rows" >&2
	"$build/tests/bench/bench_hosts" | tee "$new.hosts" >&2
	"$here/bench-memory.sh" "$build/lycosa" | tee -a "$new.rows" >&2
	# bench_hosts: number of hosts, ns a page while all are ready, while all rest, and with a hundred to an address
	awk -F '\t' -v OFS='\t' '
		$1 == 10 || $1 == 1000000 { ready[$1] = $2; resting[$1] = $3 }
		END {
			print "a page taken and queued with a million hosts, all ready", "ns/page", ready[1000000], "ten hosts", ready[10]
			print "a page taken and queued with a million hosts, with a delay", "ns/page", resting[1000000], "ten hosts", resting[10]
		}' "$new.hosts" >>"$new.rows"
	awk -F '\t' -v OFS='\t' -v command="make bench${GRAPH:+ GRAPH=$GRAPH}" \
		'NF == 5 && $1 != "what" { print "peers", $1, $2, $3, $4, $5, command }' "$new.rows" >"$new"
	;;
live)
	POLICIES=opic PEERS="wget2 httrack" ROUNDS=${ROUNDS:-3} "$here/bench-live.sh" "$build/lycosa" bench-live.d | tee "$new.rows" >&2
	[ -s "$new.rows" ] || exit 1 # bench-live.sh has said why
	# the best round of each; the peer is the quickest of the others
	awk -F '\t' -v OFS='\t' '
		/^#/ || $1 == "crawler" { next }
		!($1 in cpu) || $2 < cpu[$1] { cpu[$1] = $2; peak[$1] = $7 }
		END {
			for (name in cpu)
				if (name !~ /^lycosa/ && (best == "" || cpu[name] < cpu[best]))
					best = name
			us = "lycosa opic"
			if (best == "" || !(us in cpu))
				exit 1
			print "live", "a page crawled over HTTP and stored (wget2: thrown away)", "ms of CPU", cpu[us], best, cpu[best], "make bench-live"
			print "live", "peak memory of that crawl", "MB", peak[us], best, peak[best], "make bench-live"
		}' "$new.rows" >"$new" || { echo "bench.sh: no peer was measured (Debian: wget2)" >&2; exit 1; }
	;;
simulation)
	"$here/bench-simulation.sh" "$build/lycosa" bench-simulation.d >"$new.rows"
	awk -F '\t' -v OFS='\t' '{ print "simulation", $1, $2, $3, "-", "-", $4 }' "$new.rows" >"$new"
	;;
*)
	echo "usage: bench.sh peers|live|simulation BUILD_FOLDER DOC_FOLDER" >&2
	exit 2
	;;
esac
[ -s "$new" ] || { echo "bench.sh: nothing was measured" >&2; exit 1; }

# the other parts, then this one; in the order of their names
{
	[ ! -f "$rows" ] || grep -v -e "^$part	" -e "^# $part:" "$rows" || :
	printf '# %s: %s\n' "$part" "$(provenance)"
	cat "$new"
} | LC_ALL=C sort -s -t '	' -k 1,1 >"$new.rows"
cp "$new.rows" "$rows"

{
	cat "$here/bench-head.md"
	sed -n 's/^# live: /* Live crawls: /p; s/^# peers: /* The others with a peer: /p; s/^# simulation: /* The simulated web: /p' "$rows"
	printf '\n| what | lycosa | best peer in the same run | ratio | command |\n| --- | ---: | ---: | ---: | --- |\n'
	awk -F '\t' '
		function figure(x) { return sprintf(x < 100 ? "%.3g" : "%.0f", x) }
		!/^#/ && $5 != "-" {
			printf "| %s | %s %s | %s, %s | %.2g | `%s` |\n", $2, figure($4), $3, figure($6), $5, $4 / $6, $7
		}' "$rows"
	printf '\nThe simulated web (doc/simulation.md) has no peer:\n\n| what | lycosa | command |\n| --- | ---: | --- |\n'
	awk -F '\t' '
		function figure(x) { return sprintf(x < 100 ? "%.3g" : "%.0f", x) }
		$5 == "-" { printf "| %s | %s %s | `%s` |\n", $2, figure($4), $3, $7 }' "$rows"
	cat "$here/bench-method.md"
} >"$doc/benchmarks.md"
