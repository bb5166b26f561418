#!/bin/sh
# Agents whose letters or stores fail: an agent that comes back does not send the letters again that were confirmed; one
# whose store is an older copy is refused; sitemaps on sites of other agents; a host whose server has asked for a rest, in a
# partition that moves; two processes that are one agent.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
plan 7

nats -1
web 800 100 404=0.05,redirect=0.05
unshared $common --delay 0

# are_confirmed NAME: no letter of the two agents waits for its confirmation
are_confirmed() { status 0 "$lycosa" fleet status "$nats/$1" && [ "$(field 0 bytes_waiting) $(field 1 bytes_waiting)" = '0 0' ]; }

two tail 1 $common --delay 10ms --agents 2
wait_until $pid1 has_sent tail 100
"$lycosa" fleet pause "$nats/tail"
watch tail
wait_until $watcher is_silent && wait_until $pid1 are_confirmed tail
kill $watcher
"$lycosa" fleet stop "$nats/tail" && wait $pid1 $pid2
cp -r tail.2 older
"$lycosa" fleet pause "$nats/tail"
two tail 1
wait_until $pid1 are_crawling tail 2
watch tail
wait_until $watcher is_silent # meanwhile the agents would send letters that are not confirmed
kill $watcher
status 0 "$lycosa" fleet status "$nats/tail" && cp results problem && [ "$(($(field 0 letters_sent) + $(field 1 letters_sent)))" -ge 100 ] &&
	[ "$(field 0 letters_again) $(field 1 letters_again)" = '0 0' ]
result $? "agents that come back do not send the letters again that were confirmed"

# agent 2 goes on for a while, and then has its store of before; agent 1 rests, or it would take the share over meanwhile
"$lycosa" fleet resume "$nats/tail"
wait_until $pid1 has_sent tail 150
kill -TERM $pid2
wait $pid2
kill -STOP $pid1
rm -rf tail.2
mv older tail.2
agent tail 2
wait $agent
[ $? = 2 ] && grep -q 'the store is an older copy: .*join with another --store' tail.2.err
result $? "an agent whose store is an older copy is refused"
kill -CONT $pid1
wait $pid1
rm -f tail.2.*err tail.2.order
same tail 1
result $? "the other agent takes its share, and its store has all pages"

# eight sites that nothing but the robots.txt of the first one leads to: their owners hear of them by letters
for host in 1 2 3 4 5 6 7 8 9; do
	for page in 0 1 2; do echo "http://site$host.test/$page"; done
done >sites.urls
awk 'BEGIN { for (i = 0; i < 27; i += 3) print i, i + 1 "\n" i + 1, i + 2 }' | tr ' ' '\t' >sites.txt
seq 2 9 | sed 's|.*|Sitemap: http://site&.test/0|' >sites.robots
serve --graph sites.txt --urls sites.urls --robots sites.robots
sites="http://site1.test/0 -H --follow-sitemaps --connect-to ::127.0.0.1:$port --delay 0"
unshared $sites
two sites 1 $sites --agents 2
wait $pid1 $pid2
[ "$(wc -l <sites.1.order)" -gt 0 ] && [ "$(wc -l <sites.2.order)" -gt 0 ] && [ "$(cat sites.[12].order | wc -l)" = 27 ] && same sites 2
result $? "a sitemap that a robots.txt names on the site of another agent is crawled by that agent"

# every page is busy at first: all hosts rest when an agent joins and gets half of them
seq -f 'http://busy%03g.test/' 80 >busy.first
sed 'p; p; s/$/x/' busy.first | awk '{ print $0 (NR % 3 ? NR % 3 : "") }' >busy.urls
awk 'BEGIN { for (i = 0; i < 240; i += 3) print i "\t" i + 1 "\n" i "\t" i + 2 }' >busy.txt
serve --graph busy.txt --urls busy.urls --faults 503=1:10s --log busy.log
agent busy 1 --seeds busy.urls -H --connect-to ::127.0.0.1:$port --delay 5ms --agents 1
pid1=$agent
wait_until $pid1 has_requests 150 busy.log && agent busy 2 && wait_until $agent has_share busy 2 && wait_until $agent has_requests $(($(requests busy.log) + 200)) busy.log
status 0 "$lycosa" fleet status "$nats/busy" && "$lycosa" fleet stop "$nats/busy" && wait $pid1 $agent
tr -d '\000' <busy.log >whole.log
"$lycosa" audit whole.log --delay 5ms --rest 0 >audit 2>problem
grep '^retry-after' audit >>problem
[ "$(field 1 partitions)" -gt 0 ] && [ "$(wc -l <busy.2.order)" -gt 0 ] && awk -F '\t' '$1 == "retry-after" { print $2, $3 }' audit | grep -q '^[1-9][0-9]* 0$'
result $? "a host that was to be left alone is left alone by the next owner, too"

# two processes that are the same agent, and a second crawl of the name of the first
agent twin 1 $common --delay 50ms --agents 1
first=$agent
wait_until $first are_crawling twin 1
wait_until $first has_requests $(($(requests) + 20))
"$lycosa" fleet pause "$nats/twin" # or the copy would be older than what the first process has told
watch twin
wait_until $watcher is_silent
kill $watcher
cp -r twin.1 twin.2
agent twin 2
second=$agent
wait $first
first=$?
cp twin.1.err problem
[ $first = 3 ] && grep -q 'another process runs as agent .* of this crawl: a store is one agent.s; give each agent its own' twin.1.err &&
	kill -0 $second
result $? "of two processes with copies of one store the older one ends, and says why"
says 2 'was begun with --policy opic, not bfs' "$lycosa" crawl --join "$nats/twin" --store other $(cat twin.ways) --policy bfs --seeds seeds.txt &&
	says 2 'the crawl was begun for 1' "$lycosa" crawl --join "$nats/twin" --store third $(cat twin.ways) --agents 3
result $? "a crawl with other settings is none of this name"
kill $second
wait $second 2>/dev/null || :
