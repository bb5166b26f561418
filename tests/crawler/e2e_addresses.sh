#!/bin/sh
# Who is silent, exactly: one port of a host that answers at another, and an address that many hosts share.
. "$(dirname "$0")/../tap.sh"
plan 3

"$lycosa" graph generate --nodes 600 --arcs-per-node 8 --rng-seed 3 --to edges web.txt
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1.out"; }

# --- 1: http and https of one host, of which https is refused for good
awk 'BEGIN { for (i = 0; i < 600; i++) print (i % 20 == 7 ? "https" : "http") "://a.test/" i }' >ports.urls
head -n 5 ports.urls >seeds.txt
serve_to_return --graph web.txt --urls ports.urls # at a port at which nobody else will listen
closed=$port
kill "$server" && wait "$server" 2>/dev/null
serve --graph web.txt --urls ports.urls
"$lycosa" crawl --seeds seeds.txt --store ports --connect-to "a.test:80:127.0.0.1:$port" \
	--connect-to "a.test:443:127.0.0.1:$closed" --delay 0 --tries 2 >ports.out 2>ports.err
[ $? = 0 ] && [ "$(figure ports end)" = "done" ] && [ "$(figure ports failed_connect)" -gt 10 ] &&
	[ "$(figure ports failed_connect)" = "$(figure ports failed)" ] && ! grep -q 'no host answers' ports.err
result $? "a port that never answers fails its pages, though the host answers at another"
kill "$server" && wait "$server" 2>/dev/null

# --- 2: half of the pages on one host, the others on forty that share an address
awk 'BEGIN { for (i = 0; i < 600; i++) print "http://" (i % 2 ? "a" : "n" i % 80) ".test/" i }' >many.urls
head -n 100 many.urls >seeds.txt
serve --graph web.txt --urls many.urls
here=$port
serve_to_return --graph web.txt --urls many.urls --addresses 2
there=$port
many() {
	name=$1
	shift
	"$@" "$lycosa" crawl --seeds seeds.txt --store "$name" -H --delay 10ms --parallel-per-host 1 --log "$name.log" \
		--connect-to "a.test:80:127.0.0.1:$here" --connect-to "::127.0.0.2:$there" >"$name.out" 2>"$name.err"
}
many both env && "$lycosa" store dump --store both >both.dump && [ "$(figure both crawled)" -gt 400 ] ||
	echo "the crawl without an outage is not whole" >>problem
# every host has answered before its address is silent: one that never has is dead
all_answered() { [ "$(sed -n 's/.*"event":"crawled".*"host":"\([^"]*\)".*/\1/p' one.log | sort -u | wc -l)" -eq 41 ]; }
stopped_then() {
	"$@" &
	pid=$!
	wait_until $pid all_answered || echo "not every host has answered" >>problem
	kill -STOP $pid
}
many one stopped_then
kill "$server" && wait "$server" 2>/dev/null
kill -CONT $pid
tried_again() { [ "$(grep -c '"error":"unreachable"' one.log)" -ge 3 ]; }
wait_until $pid tried_again
serve --graph web.txt --urls many.urls --addresses 2 --port "$there"
wait $pid && [ "$(figure one end)" = "done" ] && "$lycosa" store dump --store one >one.dump && cmp both.dump one.dump >>problem
result $? "hosts of an address that is silent for a while lose no page"
tried=$(grep -c '"error":"unreachable"' one.log)
echo "$tried attempts" >problem
[ "$tried" -ge 2 ] && [ "$tried" -le 15 ]
result $? "they are tried one at a time, at growing intervals: not each by itself"
