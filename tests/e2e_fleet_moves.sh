#!/bin/sh
# Agents that come late, leave, sleep too long, or are gone for good: the others take their partitions over by the partitions' logs, and have all
# pages in the end. FLEET_KILLS=N in the environment adds a crawl whose agents are killed N times, and one of them for good.
. "$(dirname "$0")/tap.sh"
. "$top/tests/fleet.sh"
plan $((${FLEET_KILLS:+4} + 15))

nats -1

# states NAME: the state and the partitions of each agent, a line each
states() {
	"$lycosa" fleet status "$nats/$1" 2>>problem | awk -F '\t' '/^[0-9]/ { print $3, $5 }'
}

# until_state NAME I STATE: until agent I is in the state, 2 minutes at most
until_state() {
	for i in $(seq 600); do
		states "$1" | sed -n "$2p" | grep -q "^$3 " && return 0
		sleep 0.2
	done
	states "$1" >problem
	return 1
}

# audited: no host and no address was asked by two at once, or too soon; no page more than twice; $twice pages were asked twice
audited() {
	tr -d '\000' <requests.log >whole.log
	: >requests.log
	"$lycosa" audit whole.log --delay 20ms --rest 20ms >audit 2>>problem
	for rule in host-at-once address-at-once host-delay address-delay robots-first; do
		awk -F '\t' -v rule="$rule" '$1 == rule { print $2, $3 }' audit | grep -q '^[1-9][0-9]* 0$' || { grep "$rule" audit >>problem; return 1; }
	done
	twice=$(awk -F '\t' '$5 != "/robots.txt" && n[$4 $5]++ { t++ } END { print t + 0 }' whole.log)
}

web 1200 200 404=0.05,redirect=0.05,500=0.02
unshared $common --delay 0
result $? "one machine crawls $(wc -l <one.order) pages"
: >requests.log

# three agents, of which one is killed for good, and one sleeps for longer than its lease
agent moves 1 $common --delay 20ms --agents 3
first=$agent
wait_for moves.1.err 'agent 1 of 3'
agent moves 2
second=$agent
agent moves 3
third=$agent
until_state moves 3 crawls
sleep 2
"$lycosa" fleet pause "$nats/moves" # so that the crawl is not over before the test is
kill -9 $second
kill -STOP $third
wait $second 2>/dev/null
until_state moves 2 gone && until_state moves 3 gone
result $? "agents that are killed, or sleep for too long, are gone"
for i in $(seq 300); do
	states moves >problem
	[ "$(awk 'NR == 1 { print $2 }' problem)" -gt 1000 ] && break
	sleep 0.2
done
[ "$(awk 'NR == 1 { print $2 }' problem)" -gt 1000 ]
result $? "their partitions are the other agent's"
kill -CONT $third
wait $third
[ $? = 3 ] && grep -q 'other agents have taken its share' moves.3.err || { cat moves.3.err >problem; false; }
result $? "one that wakes without its partitions ends, and says why"
says 3 'join again with a new --store' "$lycosa" crawl --join "$nats/moves" --store moves.2 -q
result $? "and so does one that comes back too late"
agent moves 4
fourth=$agent
wait_for moves.1.err 'agent 2 is gone' && "$lycosa" fleet resume "$nats/moves"
for i in $(seq 300); do
	[ "$(states moves | awk 'NR == 4 { print $2 + 0 }')" -gt 0 ] 2>/dev/null && break
	sleep 0.2
done
states moves >now
before=$(awk 'NR == 4 { print $2 }' now)
[ "$before" -gt 0 ]
result $? "an agent that joins late gets partitions"
"$lycosa" fleet rebalance "$nats/moves" 2>problem
for i in $(seq 150); do
	states moves >now
	[ "$(awk 'NR == 4 { print $2 }' now)" != "$before" ] && break
	sleep 0.2
done
[ "$(awk 'NR == 4 { print $2 }' now)" != "$before" ]
result $? "and more, or other ones, when the operator asks for it"
kill -TERM $first
wait $first
[ $? = 17 ] && wait $fourth || { cat moves.1.err moves.4.err >problem; false; }
result $? "when the first agent leaves, the last one ends the crawl alone"
sound moves 4
result $? "its store alone has all pages, links and redirects of the crawl, those that the others crawled included"
audited
result $? "no host and no address was asked by two of them at once, or too soon"
# a page is asked for again if the agent that is gone had not told of it: it stands in this agent's store alone, or was in flight or not committed
for i in 2 3; do "$lycosa" store dump --store moves.$i | awk -F '\t' 'NF == 3 { print $1 }'; done | sort -u >ended
awk -F '\t' '$5 != "/robots.txt" && ++n[$4 $5] == 2 { print "http://" $4 $5 }' whole.log | sort >again
lost=$(comm -13 ended again | wc -l)
[ "$lost" -le 64 ] && [ "$(awk -F '\t' '$5 != "/robots.txt" && ++n[$4 $5] > 3' whole.log | wc -l)" = 0 ] ||
	echo "$(wc -l <again) pages were asked for again, $lost of which had not ended at the agents that are gone" >problem
verdict "only pages that had ended at the agents that are gone ($twice), or were in flight there ($lost of these), were asked for again, twice at most"

# the first agent has letters to an agent that was killed, and gives partitions to one that has come just now
agent heir 1 $common --delay 20ms --agents 1
first=$agent
until_state heir 1 crawls
agent heir 2
second=$agent
for i in $(seq 600); do [ "$(states heir | awk 'NR == 2 { print $2 + 0 }')" -gt 0 ] 2>/dev/null && break; sleep 0.1; done
sleep 1
kill -9 $second
wait $second 2>/dev/null
agent heir 3
third=$agent
until_state heir 2 gone
result $? "an agent with a gift under way takes the share of one that is gone"
wait $first && wait $third || { cat heir.1.err heir.3.err >problem; false; }
result $? "both go on to the end of the crawl"
sound heir 1 3
result $? "and have all pages"
audited
result $? "no host and no address was asked by two of them at once, or too soon"

[ "${FLEET_KILLS:-}" ] || exit 0
agent kills 1 $common --delay 20ms --agents 4
eval "pid1=$agent"
wait_for kills.1.err 'agent 1 of 4'
for i in 2 3 4; do
	agent kills $i
	eval "pid$i=$agent"
	[ $i = 4 ] || wait_for kills.$i.err "agent $i of 4" # the table has the agents in the order in which they join
done
until_state kills 4 crawls
for n in $(seq "$FLEET_KILLS"); do
	i=$((1 + $(od -An -N1 -tu1 /dev/urandom) % 4))
	sleep 0.7
	eval "victim=\$pid$i"
	kill -9 "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
	if [ "$n" = "$FLEET_KILLS" ]; then break; fi
	agent kills $i
	eval "pid$i=$agent"
done
gone=$i
others=$(echo 1 2 3 4 | tr -d "$gone")
until_state kills "$gone" gone
result $? "of four agents that were killed $FLEET_KILLS times in all, one is gone for good"
status=0
for i in $others; do
	eval "wait \$pid$i" || { status=1; cat kills.$i.err >>problem; }
done
[ $status = 0 ]
result $? "the others end the crawl"
sound kills $others
result $? "and have all pages"
audited
result $? "no host and no address was asked by two of them at once, or too soon ($twice pages again)"
