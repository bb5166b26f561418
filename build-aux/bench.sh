#!/bin/sh
# make bench, make bench-live, make bench-simulation: measures parts of doc/benchmarks.md beside the peers that this machine has, and
# writes the page anew; the other parts stay as they were measured.
#
#   bench.sh PART BUILD_FOLDER DOC_FOLDER
#
# The parts: peers (texts, a generated graph, threads), real (a real graph), frontier (hosts, memory), ranked (crawls that compute
# PageRank), scale (very many URLs), gapbs, live, simulation; page writes the page from the rows that are there.
#
# GRAPH=NODES:ARCS_PER_NODE or a path: another graph for the rows of `peers` (tests/bench/bench_peers.c). SHARED_DIR: the folder
# with the graph of `real`, which is left out without it. URLS=N: the URLs of `scale`, 10000000 by default. GAPBS: the folder of a
# build of the GAP Benchmark Suite, for `gapbs`.
#
# PEERS: the other crawlers of `live`, "wget2" or "wget2 httrack"; HTTrack takes minutes.
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
	printf '%s, commit %s, %s, %s processors, load %s before and %s after, in %s s' "$(date -u +%Y-%m-%d)" "$commit" \
		"${processor:-unknown processor}" "$(nproc)" "$load" "$(cut -d ' ' -f 1 /proc/loadavg)" "$(($(date +%s) - began))"
}

load=$(cut -d ' ' -f 1 /proc/loadavg)
began=$(date +%s)

# rows PART COMMAND: the rows of five columns of a benchmark's output, as rows of the page
rows() {
	awk -F '\t' -v OFS='\t' -v part="$1" -v command="$2" \
		'NF == 5 && $1 != "what" { print part, $1, $2, $3, $4, $5, command }'
}

case $part in
peers)
	# shellcheck disable=SC2086 # no word, or one
	"$build/tests/bench/bench_peers" ${GRAPH:-} | tee "$new.rows" >&2
	rows peers "make bench PART=peers${GRAPH:+ GRAPH=$GRAPH}" <"$new.rows" >"$new"
	;;
real)
	graph=${SHARED_DIR:-}/data/uk-2007-05@100000/uk-2007-05@100000
	[ -f "$graph.graph" ] || { echo "bench.sh: no real graph here; its rows stay as they are (configure --with-shared=DIR)" >&2; exit 0; }
	"$build/tests/bench/bench_peers" "$graph" | tee "$new.rows" >&2
	rows real "make bench PART=real" <"$new.rows" >"$new"
	;;
frontier)
	"$build/tests/bench/bench_hosts" | tee "$new.hosts" >&2
	"$here/bench-memory.sh" "$build/lycosa" | tee "$new.rows" >&2
	# bench_hosts: number of hosts, ns a page while all are ready, while all rest, and with a hundred to an address
	awk -F '\t' -v OFS='\t' '
		$1 == 10 || $1 == 1000000 { ready[$1] = $2; resting[$1] = $3 }
		END {
			print "a page taken and queued with a million hosts, all ready", "ns/page", ready[1000000], "ten hosts", ready[10]
			print "a page taken and queued with a million hosts, with a delay", "ns/page", resting[1000000], "ten hosts", resting[10]
		}' "$new.hosts" >>"$new.rows"
	rows frontier "make bench PART=frontier" <"$new.rows" >"$new"
	;;
ranked)
	"$here/bench-ranked.sh" "$build/lycosa" | tee "$new.rows" >&2
	rows ranked "make bench PART=ranked" <"$new.rows" >"$new"
	;;
gapbs)
	[ -x "${GAPBS:-}/pr" ] || { echo "bench.sh: GAPBS= has to name a folder where https://github.com/sbeamer/gapbs was built" >&2; exit 1; }
	"$build/tests/bench/bench_gapbs" "$GAPBS" ${GRAPH:+"$GRAPH"} | tee "$new.rows" >&2
	rows gapbs "make bench PART=gapbs${GRAPH:+ GRAPH=$GRAPH}" <"$new.rows" >"$new"
	;;
scale)
	"$here/bench-scale.sh" "$build/tests/bench/bench_scale" "${URLS:-10000000}" >"$new.rows"
	rows scale "make bench PART=scale${URLS:+ URLS=$URLS}" <"$new.rows" >"$new"
	;;
live)
	POLICIES=opic PEERS="${PEERS:-wget2}" WARC=yes ROUNDS=${ROUNDS:-3} "$here/bench-live.sh" "$build/lycosa" bench-live.d |
		tee "$new.rows" >&2
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
			print "live", "a page crawled and archived (--warc)", "ms of CPU", cpu[us ", WARC"], "the same crawl without an archive",
				cpu[us], "make bench-live"
			print "live", "a page crawled and archived quickly (--warc-level 1)", "ms of CPU", cpu[us ", WARC 1"],
				"the same crawl without an archive", cpu[us], "make bench-live"
		}' "$new.rows" >"$new" || { echo "bench.sh: no peer was measured (Debian: wget2)" >&2; exit 1; }
	"$here/bench-hosts.sh" "$build/lycosa" | tee "$new.hosts" >&2
	rows live "make bench-live" <"$new.hosts" >>"$new"
	;;
simulation)
	"$here/bench-simulation.sh" "$build/lycosa" bench-simulation.d >"$new.rows"
	awk -F '\t' -v OFS='\t' '{ print "simulation", $1, $2, $3, "-", "-", $4 }' "$new.rows" >"$new"
	;;
page)
	;;
*)
	echo "usage: bench.sh peers|real|frontier|ranked|scale|gapbs|live|simulation|page BUILD_FOLDER DOC_FOLDER" >&2
	exit 2
	;;
esac

# the other parts, then this one; in the order of their names
if [ "$part" != page ]; then
	[ -s "$new" ] || { echo "bench.sh: nothing was measured" >&2; exit 1; }
	{
		[ ! -f "$rows" ] || grep -v -e "^$part	" -e "^# $part:" "$rows" || :
		printf '# %s: %s\n' "$part" "$(provenance)"
		cat "$new"
	} | LC_ALL=C sort -s -t '	' -k 1,1 >"$new.rows"
	cp "$new.rows" "$rows"
fi

{
	cat "$here/bench-head.md"
	sed -n "s/^# live: /* Live crawls: /p; s/^# peers: /* Texts, a generated graph, threads: /p; s/^# real: /* A real graph: /p
		s/^# gapbs: /* Beside GAPBS: /p; s/^# frontier: /* Hosts and memory: /p; s/^# ranked: /* Crawls that compute PageRank: /p
		s/^# archives: /* Archives, and a graph of 20 M hosts: /p; s/^# scale: /* Very many URLs: /p; s/^# simulation: /* The simulated web: /p" "$rows"
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
	# what the text says of a row is put in: {ratio PART: WHAT}, {lycosa PART: WHAT}, {peer PART: WHAT}, and {judged AIM PART: WHAT},
	# which is the ratio and whether it reaches the aim
	awk -F '\t' '
		function figure(x) { return sprintf(x < 100 ? "%.3g" : "%.0f", x) }
		function said(token,    verb, aim, row, ratio) {
			verb = token
			sub(/ .*/, "", verb)
			sub(/^[a-z]+ /, "", token)
			if (verb == "judged") {
				aim = token
				sub(/ .*/, "", aim)
				sub(/^[^ ]+ /, "", token)
			}
			row = token
			if (!(row in ours))
				return "(not measured)"
			ratio = sprintf("%.2g", ours[row] / peers[row])
			if (verb == "judged")
				return ratio (ratio + 0 <= aim + 0 ? " (reached)" : " (missed)")
			return verb == "ratio" ? ratio : figure(verb == "lycosa" ? ours[row] : peers[row])
		}
		NR == FNR {
			row = $1 ": " $2
			if (!/^#/ && $5 != "-" && !(row in ours)) {
				ours[row] = $4
				peers[row] = $6
			}
			next
		}
		{
			line = $0
			while (match(line, /\{(ratio|lycosa|peer|judged) [^}]*\}/))
				line = substr(line, 1, RSTART - 1) said(substr(line, RSTART + 1, RLENGTH - 2)) substr(line, RSTART + RLENGTH)
			print line
		}' "$rows" "$here/bench-method.md"
} >"$doc/benchmarks.md"
