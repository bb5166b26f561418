#!/bin/sh
# An agent that is killed while another one gives partitions to a third one: the agents that are left take its share over, and have all pages.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
plan 5

nats -1
web 700 100 404=0.05,redirect=0.05,500=0.02
unshared $common --delay 0
result $? "one machine crawls $(wc -l <one.order) pages"
: >requests.log

# the first agent has letters to an agent that was killed, and gives partitions to one that has come just now
agent heir 1 $common --delay 20ms --agents 1
first=$agent
wait_until $first are_crawling heir 1
agent heir 2
second=$agent
wait_until $first has_share heir 2
wait_until $first has_requests $(($(requests) + 40))
kill -9 $second
wait $second 2>/dev/null
agent heir 3
third=$agent
wait_for heir.1.err 'agent 2 is gone' $first && is_in heir 2 gone
result $? "an agent with a gift under way takes the share of one that is gone"
wait $first && wait $third || { cat heir.1.err heir.3.err >problem; false; }
result $? "both go on to the end of the crawl"
sound heir 1 3
result $? "and have all pages"
polite
result $? "no host and no address was asked by two of them at once, or too soon"
