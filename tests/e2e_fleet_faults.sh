#!/bin/sh
# Agents whose letters, stores or NATS server fail: an agent that comes back sends the letters that are not confirmed and no others; one
# whose store is an older copy is refused; sitemaps on sites of other agents; a host whose server has asked for a rest, in a
# partition that moves; a server without room, one that is gone for good, and one that takes small
# messages only.
. "$(dirname "$0")/tap.sh"
. "$top/tests/fleet.sh"
needs bash
plan 14

# field AGENT COLUMN: what `fleet status` in the file `results` says of an agent, or 0
field() {
	awk -F '\t' -v agent="$1" -v column="$2" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		$1 == agent { print $at; n++ }
		END { if (!n) print 0 }' results
}

# until_sent NAME N: until the two agents of a crawl have sent so many letters
until_sent() {
	for i in $(seq 600); do
		status 0 "$lycosa" fleet status "$nats/$1" && [ "$(($(field 0 letters_sent) + $(field 1 letters_sent)))" -ge "$2" ] && return 0
		sleep 0.1
	done
	return 1
}

# until_requests LOG N: until a server has so many requests in its log
until_requests() {
	for i in $(seq 600); do
		[ "$(tr -d '\000' <"$1" | wc -l)" -ge "$2" ] && return 0
		sleep 0.1
	done
	return 1
}

# until_share NAME I: until agent I has partitions
until_share() {
	for i in $(seq 300); do
		status 0 "$lycosa" fleet status "$nats/$1" && [ "$(field $(($2 - 1)) partitions)" -gt 0 ] && return 0
		sleep 0.1
	done
	return 1
}

# until_crawling NAME N: until so many agents have their leases
until_crawling() {
	for i in $(seq 300); do
		status 0 "$lycosa" fleet status "$nats/$1" && [ "$(grep -c '	crawls	' results)" = "$2" ] && return 0
		sleep 0.2
	done
	return 1
}

# speak COMMAND ...: says commands of NATS's protocol to the server: "SUBJECT TEXT" each
speak() {
	bash -c 'exec 3<>/dev/tcp/127.0.0.1/$1 && shift && {
		for command in "$@"; do
			text=${command#* }
			printf "PUB %s %d\r\n%s\r\n" "${command%% *}" ${#text} "$text" >&3
		done
		printf "PING\r\n" >&3
		while read -r line <&3; do case $line in PONG*) break ;; esac; done
	}' speak "${nats##*:}" "$@"
}

# two NAME FLAGS...: starts the two agents of a crawl, with the pids $pid1 and $pid2
two() {
	crawl=$1
	agent "$@"
	pid1=$agent
	[ -d "$crawl.2" ] || wait_for "$crawl.1.err" 'agent 1 of 2'
	agent "$crawl" 2
	pid2=$agent
}

nats -1
"$lycosa" graph generate --nodes 800 --arcs-per-node 6 --rng-seed 3 --write-hosts web.hosts web.txt
serve --graph web.txt --hosts web.hosts --faults 404=0.05,redirect=0.05 --log requests.log
awk 'NR % 100 == 1 { print "http://" $0 "/" NR - 1 }' web.hosts >seeds.txt
common="--seeds seeds.txt -H --policy opic --connect-to ::127.0.0.1:$port --tries 1"
"$lycosa" crawl $common --store one --delay 0 -q >/dev/null 2>problem
cp -r one whole
"$lycosa" store dump --store one | LC_ALL=C sort >one.dump

two tail 1 $common --delay 10ms --agents 2
until_sent tail 100
"$lycosa" fleet stop "$nats/tail" && wait $pid1 $pid2
cp -r tail.2 older
"$lycosa" fleet pause "$nats/tail"
two tail 1
until_crawling tail 2
sleep 3 # so long letters that are not confirmed would be sent again
status 0 "$lycosa" fleet status "$nats/tail" && cp results problem && [ "$(field 0 state)$(field 1 state)" = crawlscrawls ] &&
	[ "$(($(field 0 letters_sent) + $(field 1 letters_sent)))" -ge 100 ] && [ "$(($(field 0 letters_again) + $(field 1 letters_again)))" -le 30 ]
result $? "agents that come back send the last letters again, and not those that were confirmed"

# agent 2 goes on for a while, and then has its store of before
"$lycosa" fleet resume "$nats/tail"
until_sent tail 150
"$lycosa" fleet stop "$nats/tail" && wait $pid1 $pid2
cp results before
rm -rf tail.2
mv older tail.2
"$lycosa" fleet resume "$nats/tail"
two tail 1
wait $pid2
[ $? = 2 ] && grep -q 'the store is an older copy: .*join with another --store' tail.2.err
result $? "an agent whose store is an older copy is refused"
wait $pid1
rm -f tail.2.err tail.2.order
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
rm -rf one
"$lycosa" crawl $sites --store one -q >/dev/null 2>problem
"$lycosa" store dump --store one | LC_ALL=C sort >one.dump
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
until_requests busy.log 150 && agent busy 2 && until_share busy 2 && before=$(tr -d '\000' <busy.log | wc -l) && until_requests busy.log $((before + 200))
status 0 "$lycosa" fleet status "$nats/busy" && "$lycosa" fleet stop "$nats/busy" && wait $pid1 $agent
tr -d '\000' <busy.log >whole.log
"$lycosa" audit whole.log --delay 5ms --rest 0 >audit 2>problem
grep '^retry-after' audit >>problem
[ "$(field 1 partitions)" -gt 0 ] && [ "$(wc -l <busy.2.order)" -gt 0 ] && awk -F '\t' '$1 == "retry-after" { print $2, $3 }' audit | grep -q '^[1-9][0-9]* 0$'
result $? "a host that was to be left alone is left alone by the next owner, too"

# two processes that are the same agent, and a second crawl of the name of the first
agent twin 1 $common --delay 50ms --agents 1
first=$agent
until_crawling twin 1
sleep 2
"$lycosa" fleet pause "$nats/twin" # or the copy would be older than what the first process has told
sleep 3
cp -r twin.1 twin.2
agent twin 2
second=$agent
wait $first
first=$?
cp twin.1.err problem
[ $first = 3 ] && grep -q 'another process runs as agent .* of this crawl: a store is one agent.s; give each agent its own' twin.1.err &&
	kill -0 $second
result $? "of two processes with copies of one store the older one ends, and says why"
says 2 'was begun with --policy opic, not bfs' "$lycosa" crawl --join "$nats/twin" --store other --policy bfs --seeds seeds.txt &&
	says 2 'the crawl was begun for 1' "$lycosa" crawl --join "$nats/twin" --store third --agents 3
result $? "a crawl with other settings is none of this name"
kill $second
wait $second 2>/dev/null

kill $bus && wait $bus 2>/dev/null
rm -rf one jetstream
cp -r whole one
"$lycosa" store dump --store one | LC_ALL=C sort >one.dump

# the disk is full for longer than a lease lasts
: >requests.log
echo 'jetstream { max_file_store: 300KB, max_memory_store: 32MB }' >small.conf
nats -1 -c small.conf
two full 1 $common --delay 30ms --agents 2
until_sent full 50
junk=$(head -c 10000 /dev/zero | tr '\000' x)
speak '$JS.API.STREAM.CREATE.junk {"name":"junk","subjects":["junk"],"storage":"file","retention":"limits","discard":"old","num_replicas":1}'
for i in $(seq 40); do set -- "$@" "junk $junk"; done
speak "$@"
wait_for full.1.err 'is full; the agent tries again' && wait_for full.2.err 'is full; the agent tries again'
result $? "agents whose server's disk is full say so"
sleep 9
before=$(tr -d '\000' <requests.log | wc -l)
sleep 2
[ "$before" -gt 50 ] && [ "$before" -lt 700 ] && [ "$before" = "$(tr -d '\000' <requests.log | wc -l)" ]
result $? "they wait once their leases are over ($before requests before)"
speak '$JS.API.STREAM.DELETE.junk '
wait $pid1 $pid2
wait_for full.1.err 'answers again'
grep -c 'is full' full.1.err full.2.err | grep -v ':[12]$' >problem
sed -i '/NATS server/d' full.1.err full.2.err
[ ! -s problem ] && same full 2
result $? "and go on when there is room, after a line or two, and nothing is lost"

# the server goes away for good; it has room for one crawl only
kill $bus && wait $bus 2>/dev/null
rm -rf jetstream
nats -1
two gone 1 $common --delay 20ms --agents 2 --give-up-after 12s
until_sent gone 50
kill -9 $bus && wait $bus 2>/dev/null
sleep 3
kill -TERM $pid2
wait $pid2
second=$?
wait $pid1
first=$?
tail -n 3 gone.1.err >problem
[ "$first $second" = '21 17' ] && tail -n 1 gone.1.err | grep -q 'at the NATS server 127.0.0.1:.* the same command goes on'
result $? "agents whose server is gone for good end by themselves, and can be stopped before"
nats "${nats##*:}"
two gone 1
wait $pid1 $pid2
sed -i '/NATS server/d' gone.1.err gone.2.err
same gone 2
result $? "they go on when it is back"

# a server that takes small messages: a page with 8,000 links to another site
kill $bus && wait $bus 2>/dev/null
rm -rf jetstream one
echo 'max_payload: 65536' >small.conf
nats -1 -c small.conf
for host in 1 2 3 4; do seq -f "http://with-a-long-name-$host.test/a/page/%05g" 2000; done >many.urls
seq 1 7999 | sed 's/^/0\t/' >many.txt
serve --graph many.txt --urls many.urls
many="$(head -n 1 many.urls) -H --connect-to ::127.0.0.1:$port --delay 0"
"$lycosa" crawl $many --store one -q >/dev/null 2>problem
"$lycosa" store dump --store one | LC_ALL=C sort >one.dump
two many 1 $many --agents 2
wait $pid1 $pid2
[ "$(wc -l <many.1.order)" -gt 1000 ] && [ "$(wc -l <many.2.order)" -gt 1000 ] && same many 2
result $? "letters that are larger than the server takes go in parts"
kill $bus && wait $bus 2>/dev/null
echo 'max_payload: 1024' >small.conf
nats -1 -c small.conf
says 2 'raise its max_payload' "$lycosa" crawl --join "$nats/tiny" --store tiny http://127.0.0.1:1/
result $? "a server that takes no messages of use is refused"
