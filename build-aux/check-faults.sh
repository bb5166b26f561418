#!/bin/bash
# Each command of tests/faults/case.sh under each fault, for each n from 1 to FAULT_MOST (200), as far as the command
# makes so many calls; FAULT_JOBS (4) lanes at once, a lane being the runs of one command under one fault. Ends with
# what did not hold, and is then a failure, as it is where a lane has not run; writes the table of doc/reliability.md
# anew, between its two marks. TEST_BUILD_DIR: where lycosa was built.
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

most=${FAULT_MOST:-200}

# lanes COMMANDS FAULTS: the arguments of lane.sh
lanes() {
	for fault in $2; do
		for command in $1; do
			echo "$work $command ${fault%:*} ${fault#*:} $most"
		done
	done
}
{
	lanes "$crawl_commands" "$faults_of_files $faults_of_network"
	lanes "$graph_commands" "$faults_of_files"
} >all_lanes
began=$(date +%s)
xargs -P "${FAULT_JOBS:-4}" -L 1 sh "$faults/lane.sh" <all_lanes >"$build/faults.tsv" 2>"$build/faults.err"
minutes=$((($(date +%s) - began + 59) / 60))
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
tried=$(cut -f 1-3 "$build/faults.tsv" | sort -u | wc -l)
{
	echo
	echo "One run of the script, of $minutes minutes: $tried lanes, each a command under a fault, with n from 1 to $most, as far as the"
	echo "command makes so many calls; a lane ends where no call failed for two n in a row."
} >>table
cat table
"$top/build-aux/renew.sh" "$top/doc/reliability.md" faults <table

[ "$tried" = "$(wc -l <all_lanes)" ] || { echo "$tried lanes of $(wc -l <all_lanes) have run"; exit 1; }
awk -F '\t' '$7 != "ok"' "$build/faults.tsv" | LC_ALL=C sort | head -n 100
! awk -F '\t' '$7 != "ok"' "$build/faults.tsv" | grep -q .
