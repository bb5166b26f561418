#!/bin/sh
# One crawl by several agents, over a NATS server on loopback: one agent takes the order of a crawl without it, under every
# policy; four agents crawl the same pages, each once, also where agents are killed; agents are paused, stopped and started again.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $5 == "" && $1 != "name" { print $1 }')
plan $(($(echo "$policies" | wc -w) + 22))

nats -1
"$lycosa" graph generate --nodes 250 --arcs-per-node 6 --rng-seed 7 --write-hosts small.hosts small.txt
serve --graph small.txt --hosts small.hosts
small=$port
awk 'NR % 50 == 1 { print "http://" $0 "/" NR - 1 }' small.hosts >small.seeds
for policy in $policies; do
	common="--seeds small.seeds -H --policy $policy --batch 7 --total 250 --connect-to ::127.0.0.1:$small --delay 0 --parallel 1"
	"$lycosa" crawl $common --store "alone-$policy" --order alone -q >/dev/null 2>problem &&
		"$lycosa" crawl --join "$nats/p-$policy" $common --store "joined-$policy" --order joined -q >/dev/null 2>problem &&
		[ "$(wc -l <joined)" -gt 100 ] && diff alone joined >problem
	result $? "$policy: one agent takes the order of a crawl without agents"
done

# tests/lab/agree.sh has such rules in a replay, in virtual time and in a live crawl
cat >order.rules <<END
last regex /[0-9]*7\$
first host $(sed -n 51p small.hosts)
first suffix 0
reject suffix 13
weight 20 glob *1
last depth 4-
END
common="--seeds small.seeds -H --policy opic --connect-to ::127.0.0.1:$small --delay 0 --parallel 1"
"$lycosa" crawl $common --store no-rules --order plain -q >/dev/null 2>problem &&
	"$lycosa" crawl $common --store alone-rules --rules order.rules --order alone -q >/dev/null 2>problem &&
	"$lycosa" crawl --join "$nats/rules" $common --store joined-rules --rules order.rules --order joined -q >/dev/null 2>problem &&
	! cmp -s plain alone && diff alone joined >problem
result $? "and so it does where rules order the pages"

web 700 100 404=0.05,redirect=0.05,500=0.02
unshared $common --delay 0
result $? "one machine crawls $(wc -l <one.order) pages"

# audited RULE...: the log has no breach of these rules, which had something to judge
audited() {
	"$lycosa" audit whole.log --delay "$delay" --rest "$delay" >audit 2>>problem
	for rule in "$@"; do
		awk -F '\t' -v rule="$rule" '$1 == rule { print $2, $3 }' audit | grep -q '^[1-9][0-9]* 0$' || { grep "^$rule" audit >>problem; return 1; }
	done
}

# log: the requests since the last time in whole.log; the server writes on behind what was cut
log() {
	tr -d '\000' <requests.log >whole.log
	: >requests.log
}

: >requests.log
agent four 1 $common --delay 0 --agents 4
wait_for four.1.err 'agent 1 of 4' $agent
# the others need nothing but the URL
for i in 2 3 4; do agent four $i; agents="${agents:-} $agent"; done
wait $agents
same four 4
result $? "four agents crawl the same pages, links and redirects, each page once"
log
delay=0
audited host-at-once address-at-once robots-first robots-obeyed
result $? "no host and no address was asked by two of them at once"
# the new owner of a partition that has moved asks for robots.txt again, and for no page
awk -F '\t' '$5 != "/robots.txt" && n[$4 $5]++ { print "twice: " $4 $5 }' whole.log >problem
verdict "no page was asked twice"
[ "$(cat four.[1-4].order | wc -l)" -gt 500 ] && for i in 1 2 3 4; do [ -s four.$i.order ] || echo "agent $i has crawled nothing" >problem; done
verdict "each of them has its share"
"$lycosa" crawl --join "$nats/four" $(cat four.ways) --store four.2 -q >again 2>problem && [ "$(awk '$1 == "crawled_now" { print $2 }' again)" = 0 ]
result $? "an agent of a finished crawl has nothing to add"
"$lycosa" crawl --join "$nats/four" $(cat four.ways) --store four.5 -q >again 2>problem && [ "$(awk '$1 == "crawled_now" { print $2 }' again)" = 0 ]
result $? "and neither has one that joins it then"
says 2 "go on with the crawl by --join" "$lycosa" crawl $(cat four.ways) --store four.1 -q
result $? "the store of an agent is not taken for one of a whole crawl"
says 2 "is of one machine alone" "$lycosa" crawl --join "$nats/other" $(cat four.ways) --store one -q
result $? "nor that of a whole crawl for an agent's"
says 2 "another crawl" "$lycosa" crawl --join "$nats/p-bfs" $(cat four.ways) --store four.1 -q
result $? "nor an agent's for another crawl's"
"$lycosa" store info --store four.1 >info 2>problem && "$lycosa" store explain "$(sed -n 3p four.1.order)" --store four.1 >explained 2>problem
result $? "an agent's store is looked at as any other"

# three agents at one address, killed again and again, each time after some more requests
agent killed 1 $common --delay 10ms --agents 3
eval "pid1=$agent"
wait_for killed.1.err 'agent 1 of 3' $pid1
for i in 2 3; do agent killed $i; eval "pid$i=$agent"; done
for i in 2 1 3 2 1 3; do
	eval "victim=\$pid$i"
	wait_until "$victim" has_requests $(($(requests) + 40))
	kill -9 "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
	agent killed $i
	eval "pid$i=$agent"
done
wait $pid1 $pid2 $pid3
same killed 3
result $? "agents that were killed and started again have crawled the same pages, each once"
log
delay=10ms
audited host-at-once address-at-once host-delay address-delay robots-first
result $? "no host and no address was asked by two of them at once, or too soon"
twice=$(cat whole.log | awk -F '\t' '$5 != "/robots.txt" && n[$4 $5]++ { t++ } END { print t + 0 }')
[ "$twice" -le 96 ] || echo "$twice pages were asked for twice" >problem
verdict "at most those in flight were asked for twice ($twice)"

: >requests.log
two steered 1 $common --delay 20ms --agents 2
wait_until $pid1 are_crawling steered 2
[ "$(awk -F '\t' '/\tcrawls\t/ { n += $5 } END { print n }' results)" = 1024 ] && grep -q '^# state: running' results
result $? "the agents of a crawl are listed with their shares"
"$lycosa" fleet pause "$nats/steered"
watch steered
wait_until $watcher is_silent
paused=$?
kill $watcher 2>/dev/null
"$lycosa" fleet resume "$nats/steered"
[ $paused = 0 ] && wait_until $pid1 has_requests $((silent + 5))
result $? "a crawl that is paused asks nobody, and goes on"
kill -TERM $pid1
wait $pid1
first=$?
"$lycosa" fleet stop "$nats/steered" && wait $pid2
second=$?
[ $first = 17 ] && [ $second = 17 ] || { echo "status $first and $second" >problem; cat steered.*.err >>problem; false; }
result $? "agents that are told to stop, one or all, leave in good order"
status 19 "$lycosa" crawl --join "$nats/early" --store early && grep -q "no agent has begun the crawl '$nats/early'" errors
result $? "an agent that comes before the one that names the URLs is told so"
background "$lycosa" crawl $common --join "$nats/alone" --agents 2 --store stopped >/dev/null 2>alone.err
pid1=$!
wait_for alone.err 'the crawl begins when all agents have joined' $pid1 && "$lycosa" fleet stop "$nats/alone"
wait $pid1
[ $? = 17 ] && grep -q 'stopped while waiting for the other agents' alone.err || { cp alone.err problem; false; }
result $? "an agent that waits for the others is stopped by fleet stop"
background "$lycosa" crawl http://a.test/ --contact me@a.test --join "$nats/waits" --agents 2 --store waits >/dev/null 2>waits.err
pid1=$!
wait_for waits.err 'the crawl begins when all agents have joined' $pid1
kill -TERM $pid1
wait $pid1
background "$lycosa" crawl --join "$nats/waits" --store waits >/dev/null 2>waits.err
pid1=$!
wait_for waits.err 'the crawl begins when all agents have joined' $pid1
kill -TERM $pid1 2>/dev/null
wait $pid1
[ $? = 17 ] || { cp waits.err problem; false; }
result $? "an agent that was interrupted while it waited takes the settings of the crawl when it is started again"
status 2 "$lycosa" crawl --join nats://127.0.0.1 --store x && grep -q 'no crawl is named' errors &&
	status 2 "$lycosa" crawl --agents 2 http://a.test/ --store x && grep -q 'needs --join' errors &&
	status 21 "$lycosa" crawl --join nats://127.0.0.1:1/x --store x && grep -q 'cannot connect at the NATS server 127.0.0.1:1' errors
result $? "a wrong URL, a missing one, and a server that is not there, each with its reason"
