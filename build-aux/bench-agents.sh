#!/bin/bash
# What several agents gain, and what their letters cost: one crawl of 240 hosts, each on a loopback address of its own, whose server
# answers after 100 ms, with 16 transfers in flight at each agent. So the delays are the limit, not the processor.
#
#   bench-agents.sh LYCOSA [AGENTS ...]      a row for each number of agents, 0 for a crawl without --join (0 1 2 4)
#
# STEADY=SECONDS: instead of this, what nearly idle agents cost the server. All hosts are seeds, and each rests for 17 s between two requests, so that all
# agents together ask for 14 pages a second; the server's CPU, in percent of a processor, and its messages and bytes, in and out, are those of so
# many seconds, after all agents have begun and 20 s have gone by.
#
# PAGES=N: the pages of a host, 40 by default: 9,600 in all, for which four agents need 16 seconds.
#
# The columns: the seconds from the start of the first agent to the end of the last one, and those between the first request and the
# last one; the seconds that cannot be undercut, which are those of the agent with most pages (its share / 16 * 0.1 s); seconds of CPU
# (user and system) of all agents together, and of the NATS server, and the server's share of both; milliseconds of CPU, agents and server, for
# a page, and how many times that of the row for 0 this is, so the rows 0 and 1 tell what --join costs one agent; the messages that the server
# has stored: letters, messages of the partitions' logs, and keys.
set -eu
pages=${PAGES:-40}
lycosa=$(readlink -f "$1")
shift
PATH=$PATH:/usr/sbin
dir=$(mktemp -d)
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || :; done; wait; rm -rf "$dir"' EXIT
cd "$dir"
port=$((10000 + $(od -An -N2 -tu2 /dev/urandom) % 10000))
monitor=$((port + 10000)) # both below the ports that a system gives to connections
TIMEFORMAT='%U %S'

awk -v port="$port" -v pages="$pages" -v steady="${STEADY:-0}" 'BEGIN {
	srand(5)
	for (host = 0; host < 240; host++)
		for (k = 0; k < pages; k++) {
			url = "http://127.0.0." (host + 1) ":" port "/" k
			print url >"urls"
			if (k == 0 && (steady || host % 10 == 0))
				print url >"seeds"
			for (j = 1; k == 0 && j < pages; j++)
				print host * pages, host * pages + j >"web.txt"
			for (j = 0; j < 8; j++)
				print host * pages + k, int(rand() * 240 * pages) >"web.txt"
		}
}'

# ticks PID: the CPU of a process so far, in seconds
ticks() {
	awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) / hz }' "/proc/$1/stat"
}

begin() {
	rm -rf store.* jetstream ports request.log address
	"$lycosa" serve web.txt --urls urls --port "$port" --addresses 240 --faults slow=1:100ms --log request.log >address 2>talk.txt &
	web=$!
	pids=$web
	for _ in $(seq 100); do [ -s address ] || sleep 0.1; done
	mkdir ports
	nats-server -js -sd jetstream -a 127.0.0.1 -p -1 -m "$monitor" --ports_file_dir ports >nats.log 2>&1 &
	nats=$!
	pids="$pids $nats"
	for _ in $(seq 100); do grep -qs 'nats://' ports/*.ports || sleep 0.1; done
	begun=$(ticks "$nats")
	url=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' ports/*.ports | tail -n 1)/bench
}

# agent I FLAGS...: an agent, whose CPU seconds go to cpu.I
agent() {
	local i=$1
	shift
	{ time "$lycosa" crawl "$@" --store "store.$i" --progress none >"summary.$i" 2>"talk.$i"; } 2>"cpu.$i" &
}

# messages: how many messages of letters and of logs, and how many writings of keys, the server has stored in all
messages() {
	curl -s "http://127.0.0.1:$monitor/jsz?streams=true" | tr -d ' ",' | awk -F : '
		$1 == "name" { kind = $2 ~ /^KV_/ ? "keys" : $2 ~ /-log$/ ? "logs" : "letters" }
		$1 == "last_seq" { n[kind] = $2 }
		END { printf "%d\t%d\t%d", n["letters"], n["logs"], n["keys"] }'
}

# start N DELAY: starts the agents, whose jobs are then in $jobs
start() {
	local n=$1 common="--seeds seeds -H --policy opic --delay $2 --parallel 16 --allow-private"
	begin
	rm -f cpu.* talk.*
	from=$(date +%s.%N) # of the caller
	case $n in
	0) agent 1 $common; jobs="$!" ;;
	*)
		agent 1 $common --join "$url" --agents "$n"
		jobs=$!
		for i in $(seq 2 "$n"); do
			until grep -qs 'agent 1 of' talk.1 || [ "$n" = 1 ]; do sleep 0.02; done
			agent "$i" --join "$url"
			jobs="$jobs $!"
		done ;;
	esac
}

# traffic: messages and bytes of the server so far, in and out, and its CPU
traffic() {
	curl -s "http://127.0.0.1:$monitor/varz" | tr -d ' ",' | awk -F : -v cpu="$(ticks "$nats")" '{ v[$1] = $2 }
		END { print v["in_msgs"], v["out_msgs"], v["in_bytes"], v["out_bytes"], cpu }'
}

steady() {
	local n=$1
	start "$n" 17s
	until [ "$("$lycosa" fleet status "$url" 2>/dev/null | grep -c '	crawls	')" = "$n" ]; do sleep 0.5; done
	sleep 20
	local before=$(traffic) from=$(tr -d '\000' <request.log | wc -l)
	sleep "$STEADY"
	echo "$n $(($(tr -d '\000' <request.log | wc -l) - from)) $before $(traffic)" | awk -v s="$STEADY" '{
		printf "%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f%%\n", $1, $2 / s, ($8 - $3) / s, ($9 - $4) / s, ($10 - $5) / s / 1000,
			($11 - $6) / s / 1000, 100 * ($12 - $7) / s }'
	"$lycosa" fleet stop "$url"
	wait $jobs || :
	kill $pids && wait $pids 2>/dev/null || :
	pids=
}

run() {
	local n=$1
	local from idle
	start "$n" 0
	idle=$begun
	wait $jobs
	local to=$(date +%s.%N)
	local server=$(ticks "$nats")
	local most=$(cat summary.* | awk -F '\t' '$1 == "crawled_now" && $2 > m { m = $2 } END { print m }')
	local pages=$(cat summary.* | awk -F '\t' '$1 == "crawled_now" { n += $2 } END { print n }')
	local letters=$(messages)
	kill $pids && wait $pids 2>/dev/null || :
	pids=
	tr -d '\000' <request.log | awk -F '\t' -v n="$n" -v from="$from" -v to="$to" -v pages="$pages" -v most="$most" -v letters="$letters" \
		-v cpu="$(cat cpu.* | awk '{ s += $1 + $2 } END { print s }')" -v server="$(awk -v a="$idle" -v b="$server" 'BEGIN { print b - a }')" '
		!first || $1 < first { first = $1 }
		$2 > last { last = $2 }
		END {
			page = 1000 * (cpu + server) / pages
			if (n == 0)
				print page >"alone"
			else
				getline alone <"alone"
			printf "%d\t%d\t%.1f\t%.1f\t%.1f\t%.2f\t%.2f\t%.1f%%\t%.3f\t%s\t%s\n", n, pages, to - from, (last - first) / 1e6,
				most / 160, cpu, server, 100 * server / (cpu + server), page,
				n == 0 ? "1.00" : alone ? sprintf("%.2f", page / alone) : "-", letters
		}'
}

if [ "${STEADY:-0}" != 0 ]; then
	printf 'agents\tpages_s\tin_s\tout_s\tin_kB_s\tout_kB_s\tserver_cpu\n'
	for n in ${@:-4 16 48}; do steady "$n"; done
	exit
fi
printf 'agents\tpages\tseconds\tasking\tideal\tagents_cpu\tserver_cpu\tserver_share\tms_a_page\ttimes_alone\tletters\tlogs\tkeys\n'
for n in ${@:-0 1 2 4}; do run "$n"; done
