#!/bin/bash
# Each command of tests/faults/case.sh under each fault, for each n of FAULT_NS (1 to 200; of crawls FAULT_CRAWL_NS,
# 1 to 40 and each fifth), FAULT_JOBS (8) at once. Ends with what did not hold, and is then a failure; writes the
# table of doc/reliability.md anew, between its two marks. TEST_BUILD_DIR: where lycosa was built.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
build=${TEST_BUILD_DIR:-$top/build}
lycosa=$build/lycosa
faults=$top/tests/faults
. "$faults/scene.sh"
work=$(mktemp -d)
server=
clean_up() {
	[ -z "$server" ] || kill "$server" 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY

make_web || exit 1
"$lycosa" serve --graph web.txt >server.out 2>/dev/null &
server=$!
until grep -q '^listening on' server.out; do
	kill -0 "$server" || exit 1
	sleep 0.1
done
make_scene "$work" "$(sed -n 's/^listening on 127.0.0.1://p' server.out)" || exit 1

# lanes COMMANDS FAULTS NS: the arguments of lane.sh
lanes() {
	for fault in $2; do
		for command in $1; do
			echo "$work $command ${fault%:*} ${fault#*:} $3"
		done
	done
}
ns=${FAULT_NS:-$(seq 1 200 | tr '\n' ' ')}
crawl_ns=${FAULT_CRAWL_NS:-$(seq 1 40 | tr '\n' ' ') $(seq 45 5 200 | tr '\n' ' ')}
{
	lanes "$crawl_commands" "$faults_of_files $faults_of_network" "$crawl_ns"
	lanes "$graph_commands" "$faults_of_files" "$ns"
} | xargs -P "${FAULT_JOBS:-8}" -L 1 sh "$faults/lane.sh" >"$build/faults.tsv" 2>"$build/faults.err"
cat "$build/faults.err" >&2

# --- a row a fault, a column a kind of command
awk -F '\t' '
	BEGIN {
		split("crawl archive resume", crawls, " ")
		for (i in crawls)
			kind[crawls[i]] = "crawl"
		kind["info"] = kind["dump"] = kind["verify"] = "store"
		split("write:28 write:5 write:0 read:5 sync:5 sync:28 mmap:12 open:24 open:5 malloc:12 thread:11 " \
			"socket:24 socket:105 connect:101 connect:111 send:104 send:32 recv:104 poll:4 poll:12", order, " ")
		split("no room,EIO,half of it,EIO,EIO,no room,no memory,no descriptor,EIO,no memory,no thread," \
			"no descriptor,no buffers,no network,refused,reset,broken pipe,reset,a signal,no memory", how, ",")
	}
	{
		cell = $2 ":" $3 SUBSEP (kind[$1] ? kind[$1] : "graph")
		runs++
		if ($6 != "hit")
			next
		hit++
		done[cell] += $5 == 0
		told[cell] += $5 != 0
		bad[cell] += $7 != "ok"
		all_bad += $7 != "ok"
	}
	function show(fault, column,    c) {
		c = fault SUBSEP column
		if (!(c in done))
			return "-"
		return done[c] " + " told[c] (bad[c] ? ", **" bad[c] " not**" : "")
	}
	END {
		printf "%d runs, in %d of which a call failed; in %d of these a condition did not hold.\n\n", runs, hit, all_bad
		print "| call | fails with | crawls | store | graphs |"
		print "| --- | --- | --- | --- | --- |"
		for (i = 1; i in order; i++) {
			split(order[i], part, ":")
			printf "| %s | %s | %s | %s | %s |\n", part[1], how[i], show(order[i], "crawl"),
				show(order[i], "store"), show(order[i], "graph")
		}
	}' "$build/faults.tsv" >table
{
	echo
	echo "n of crawls: $crawl_ns; of the others: $ns; each as far as the command makes so many calls." | fold -s -w 130
} >>table
cat table
awk -v table=table '
	/^<!-- faults: / { print; if (/begin/) { while ((getline line < table) > 0) print line; quiet = 1 } else quiet = 0; next }
	!quiet { print }' "$top/doc/reliability.md" >reliability.md && cp reliability.md "$top/doc/reliability.md"

awk -F '\t' '$7 != "ok"' "$build/faults.tsv" | LC_ALL=C sort | head -n 100
! awk -F '\t' '$7 != "ok"' "$build/faults.tsv" | grep -q .
