#!/bin/sh
# The NATS server goes away for longer than a lease lasts: an agent that is not sure of its lease asks nobody, nor does one that wakes without;
# an agent gives up, can be stopped, and goes on; nothing is lost.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
plan 7

# six hosts, each at an address of its own, so that no agent waits for another one; agent 1 has s0, agent 2 s1 and s2, agent 3 the others
"$lycosa" graph generate -q --nodes 288 --arcs-per-node 6 --rng-seed 3 web.txt
awk 'BEGIN { for (i = 0; i < 288; i++) print "s" (i < 216 ? int(i / 72) : int(i / 24) - 6) ".test" }' >web.hosts
awk '$0 != host { print "http://" $0 "/" NR - 1 } { host = $0 }' web.hosts >seeds.txt
serve --graph web.txt --hosts web.hosts --addresses 7 --log requests.log
common="--seeds seeds.txt -H --policy opic --delay 200ms"
for i in 0 1 2 3 4 5; do common="$common --connect-to s$i.test:80:127.0.0.$((i + 2)):$port"; done
unshared $common --delay 0
result $? "one machine crawls $(wc -l <one.order) pages"
: >requests.log

nats -1
agent lease 1 $common --agents 3
first=$agent
wait_for lease.1.err 'agent 1 of 3' $first
agent lease 2 --give-up-after 10s
second=$agent
wait_for lease.2.err 'agent 2 of 3' $second
agent lease 3
third=$agent
wait_until $first are_crawling lease 3
wait_until $first has_requests 30
kill -STOP $third
over=$(awk '{ print int($1) + 9 }' /proc/uptime)
kill -9 $bus && wait $bus 2>/dev/null
wait_for lease.1.err 'cannot .* at the NATS server' $first
result $? "an agent whose server is gone says so"
wait $second
[ $? = 21 ] && tail -n 1 lease.2.err | grep -q 'at the NATS server 127.0.0.1:.* this has been so for [1-9][0-9] s .* the same command goes on' || { cp lease.2.err problem; false; }
result $? "one whose server is gone for good gives up"
# an agent is sure of its lease for eight seconds from its last news; a request of each host may be under way then
is_over() { [ "$(cut -d . -f 1 /proc/uptime)" -ge "$over" ]; }
wait_until $$ is_over
before=$(requests)
kill -CONT $third
wait_for lease.3.err 'cannot .* at the NATS server' $third
kill -TERM $third
wait $third
[ $? = 17 ] || { cp lease.3.err problem; false; }
result $? "an agent without its server can be stopped"
awk -F '\t' '$5 != "/robots.txt" { n[$4 == "s0.test"]++ } END { exit n[1] >= 70 }' requests.log || echo "agent 1 has no page left" >problem
[ $(($(requests) - before)) -le 4 ] || echo "$(($(requests) - before)) requests without a lease" >>problem
verdict "agents that are not sure of their leases ask nobody, nor does one that wakes without ($before requests before)"
requests=$(requests)
nats "${nats##*:}"
agent lease 2
second=$agent
agent lease 3
third=$agent
wait_for lease.1.err 'answers again' $first && wait_until $first has_requests $((requests + 10))
result $? "an agent goes on when the server is back, and says so"
wait $first && wait $second && wait $third
sed -i '/NATS server/d' lease.*.err
same lease 3
result $? "and so do those that have ended; nothing is lost"
