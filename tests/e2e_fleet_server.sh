#!/bin/sh
# Agents whose NATS server fails: one without room, for longer than a lease lasts, one that is gone for good, and one that takes small
# messages only.
. "$(dirname "$0")/tap.sh"
. "$top/tests/fleet.sh"
needs bash
plan 7

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

web 800 100 404=0.05,redirect=0.05
unshared $common --delay 0

# the disk is full for longer than a lease lasts
: >requests.log
# room enough for the crawl, whose letters are more and shorter on a slow machine, and not for the crawl and a megabyte of junk
echo 'jetstream { max_file_store: 1000KB, max_memory_store: 32MB }' >small.conf
nats -1 -c small.conf
two full 1 $common --delay 30ms --agents 2
until_sent full 50
junk=$(head -c 10000 /dev/zero | tr '\000' x)
speak '$JS.API.STREAM.CREATE.junk {"name":"junk","subjects":["junk"],"storage":"file","retention":"limits","discard":"old","num_replicas":1}'
for i in $(seq 110); do set -- "$@" "junk $junk"; done
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
rm -rf jetstream
echo 'max_payload: 65536' >small.conf
nats -1 -c small.conf
for host in 1 2 3 4; do seq -f "http://with-a-long-name-$host.test/a/page/%05g" 2000; done >many.urls
seq 1 7999 | sed 's/^/0\t/' >many.txt
serve --graph many.txt --urls many.urls
many="$(head -n 1 many.urls) -H --connect-to ::127.0.0.1:$port --delay 0"
unshared $many
two many 1 $many --agents 2
wait $pid1 $pid2
[ "$(wc -l <many.1.order)" -gt 1000 ] && [ "$(wc -l <many.2.order)" -gt 1000 ] && same many 2
result $? "letters that are larger than the server takes go in parts"
kill $bus && wait $bus 2>/dev/null
echo 'max_payload: 1024' >small.conf
nats -1 -c small.conf
says 2 'raise its max_payload' "$lycosa" crawl --join "$nats/tiny" --store tiny http://127.0.0.1:1/
result $? "a server that takes no messages of use is refused"
