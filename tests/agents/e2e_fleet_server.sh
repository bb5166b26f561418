#!/bin/sh
# Agents whose NATS server fails: one without room, for longer than a lease lasts, and one that takes small messages only.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
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

web 550 100 404=0.05,redirect=0.05
unshared $common --delay 0

# the disk is full for longer than a lease lasts
: >requests.log
# room enough for the crawl, whose letters are more and shorter on a slow machine, and not for the crawl and a megabyte of junk
echo 'jetstream { max_file_store: 1000KB, max_memory_store: 32MB }' >small.conf
nats -1 -c small.conf
two full 1 $common --delay 30ms --agents 2
wait_until $pid1 has_sent full 50
junk=$(head -c 10000 /dev/zero | tr '\000' x)
speak '$JS.API.STREAM.CREATE.junk {"name":"junk","subjects":["junk"],"storage":"file","retention":"limits","discard":"old","num_replicas":1}'
for i in $(seq 110); do set -- "$@" "junk $junk"; done
speak "$@"
wait_for full.1.err 'is full; the agent tries again' $pid1 && wait_for full.2.err 'is full; the agent tries again' $pid2
result $? "agents whose server's disk is full say so"
watch full
wait_until $watcher is_silent
kill $watcher
[ "$silent" -gt 50 ] && [ "$silent" -lt "$(wc -l <one.order)" ]
result $? "they wait once their leases are over ($silent requests before)"
speak '$JS.API.STREAM.DELETE.junk '
wait $pid1 $pid2
grep -q 'answers again' full.1.err || cp full.1.err problem
grep -c 'is full' full.1.err full.2.err | grep -v ':[12]$' >>problem
sed -i '/NATS server/d' full.1.err full.2.err
[ ! -s problem ] && same full 2
result $? "and go on when there is room, after a line or two, and nothing is lost"

# all that the server has is lost while no agent runs; then each is told where the new server is and which store it has, and nothing else
two lost 1 $common --delay 10ms --agents 2
wait_until $pid1 has_sent lost 50
kill $pid1 $pid2
wait $pid1 $pid2
kill $bus && wait $bus 2>/dev/null
rm -rf jetstream
nats -1
agent lost 2
pid2=$agent
agent lost 1
wait $pid2 && wait $agent && sound lost 1 2
result $? "the stores alone fill an empty server"
says 2 'cannot keep the crawl on 3 servers' "$lycosa" fleet status "$nats/lost" --nats-replicas 3
result $? "a server alone keeps no three copies, and says so"

# a server that takes small messages: a page with 1,200 links to other sites, each of 200 bytes that cannot be compressed
kill $bus && wait $bus 2>/dev/null
rm -rf jetstream
echo 'max_payload: 65536' >small.conf
nats -1 -c small.conf
awk 'BEGIN {
	srand(1)
	for (page = 0; page < 1200; page++) {
		name = ""
		while (length(name) < 200)
			name = name sprintf("%07x", int(rand() * 268435456))
		print "http://host" page % 4 ".test/" page "/" name
	}
}' >many.urls
seq 1 1199 | sed 's/^/0\t/' >many.txt
serve --graph many.txt --urls many.urls
many="$(head -n 1 many.urls) -H --connect-to ::127.0.0.1:$port --delay 0"
unshared $many
two many 1 $many --agents 2
wait $pid1 $pid2
[ "$(wc -l <many.1.order)" -gt 200 ] && [ "$(wc -l <many.2.order)" -gt 200 ] && same many 2
result $? "letters that are larger than the server takes go in parts"
kill $bus && wait $bus 2>/dev/null
echo 'max_payload: 1024' >small.conf
nats -1 -c small.conf
says 2 'raise its max_payload' "$lycosa" crawl --join "$nats/tiny" --store tiny http://127.0.0.1:1/
result $? "a server that takes no messages of use is refused"
