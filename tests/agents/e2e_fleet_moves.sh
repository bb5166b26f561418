#!/bin/sh
# Agents that come late, leave, sleep too long, or are gone for good: the others take their partitions over by the partitions' logs, and have all
# pages in the end. FLEET_KILLS=N in the environment adds a crawl whose agents are killed N times, and one of them for good.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
plan $((${FLEET_KILLS:+4} + 11))

nats -1

web 1000 200 404=0.05,redirect=0.05,500=0.02
unshared $common --delay 0
result $? "one machine crawls $(wc -l <one.order) pages"
: >requests.log

# three agents, of which one is killed for good, and one sleeps for longer than its lease
agent moves 1 $common --delay 20ms --agents 3
first=$agent
wait_for moves.1.err 'agent 1 of 3' $first
agent moves 2
second=$agent
agent moves 3
third=$agent
wait_until $first are_crawling moves 3
wait_until $first has_requests 100
"$lycosa" fleet pause "$nats/moves" # so that the crawl is not over before the test is
kill -9 $second
kill -STOP $third
wait $second 2>/dev/null
wait_for moves.1.err 'agent 2 is gone' $first && wait_for moves.1.err 'agent 3 is gone' $first && is_in moves 2 gone && is_in moves 3 gone
result $? "agents that are killed, or sleep for too long, are gone"
wait_until $first has_share moves 1 1000
result $? "their partitions are the other agent's"
kill -CONT $third
wait $third
[ $? = 1 ] && grep -q 'other agents have taken its share' moves.3.err || { cat moves.3.err >problem; false; }
result $? "one that wakes without its partitions ends, and says why"
# the fourth agent of the crawl, with the command of the second one
agent moves 2
fourth=$agent
wait_for moves.2.err 'joins again with a new store' $fourth
result $? "one that comes back too late joins again, and keeps its store beside the new one"
"$lycosa" fleet resume "$nats/moves"
wait_until $first has_share moves 4
result $? "an agent that joins late gets partitions"
before=$share
has_other_share() { has_share moves 4 && [ "$share" != "$before" ]; }
"$lycosa" fleet rebalance "$nats/moves" 2>problem
wait_until $first has_other_share
result $? "and more, or other ones, when the operator asks for it"
kill -TERM $first
wait $first
[ $? = 17 ] && wait $fourth || { cat moves.1.err moves.2.err >problem; false; }
result $? "when the first agent leaves, the last one ends the crawl alone"
sound moves 2
result $? "its store alone has all pages, links and redirects of the crawl, those that the others crawled included"
polite
result $? "no host and no address was asked by two of them at once, or too soon"
# a page is asked for again if the agent that is gone had not told of it: it stands in this agent's store alone, or was in flight or not committed
for i in 2.1 3; do "$lycosa" store dump --store moves.$i | awk -F '\t' 'NF == 3 { print $1 }'; done | sort -u >ended
awk -F '\t' '$5 != "/robots.txt" && ++n[$4 $5] == 2 { print "http://" $4 $5 }' whole.log | sort >again
lost=$(comm -13 ended again | wc -l)
[ "$lost" -le 64 ] && [ "$(awk -F '\t' '$5 != "/robots.txt" && ++n[$4 $5] > 3' whole.log | wc -l)" = 0 ] ||
	echo "$(wc -l <again) pages were asked for again, $lost of which had not ended at the agents that are gone" >problem
verdict "only pages that had ended at the agents that are gone ($twice), or were in flight there ($lost of these), were asked for again, twice at most"

[ "${FLEET_KILLS:-}" ] || exit 0
agent kills 1 $common --delay 20ms --agents 4
eval "pid1=$agent"
wait_for kills.1.err 'agent 1 of 4' $agent
for i in 2 3 4; do
	agent kills $i
	eval "pid$i=$agent"
	[ $i = 4 ] || wait_for kills.$i.err "agent $i of 4" $agent # the table has the agents in the order in which they join
done
wait_until $pid1 are_crawling kills 4
for n in $(seq "$FLEET_KILLS"); do
	i=$((1 + $(od -An -N1 -tu1 /dev/urandom) % 4))
	eval "victim=\$pid$i"
	wait_until "$victim" has_requests $(($(requests) + 40))
	kill -9 "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
	if [ "$n" = "$FLEET_KILLS" ]; then break; fi
	agent kills $i
	eval "pid$i=$agent"
done
gone=$i
others=$(echo 1 2 3 4 | tr -d "$gone")
wait_until $$ is_in kills "$gone" gone
result $? "of four agents that were killed $FLEET_KILLS times in all, one is gone for good"
status=0
for i in $others; do
	eval "wait \$pid$i" || { status=1; cat kills.$i.err >>problem; }
done
[ $status = 0 ]
result $? "the others end the crawl"
sound kills $others
result $? "and have all pages"
polite
result $? "no host and no address was asked by two of them at once, or too soon ($twice pages again)"
