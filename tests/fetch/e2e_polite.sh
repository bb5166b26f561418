#!/bin/sh
# Politeness as the server sees it: 50 hosts on 10 addresses, under every policy. `lycosa audit` reads the server's log:
# robots.txt is each host's first request; no host and no address is asked twice at once, or sooner than the delay after
# an answer, less 2 ms for clocks of whole milliseconds; and nothing is fetched twice.
. "$(dirname "$0")/../tap.sh"
delay=40
# all but those that need what only the laboratory knows
policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $5 == "" { print $1 }')
plan $(($(echo "$policies" | wc -l) + 6))

"$lycosa" graph generate --nodes 200 --arcs-per-node 6 --rng-seed 7 --to edges --write-urls numbered.urls web.txt
awk '{ print "http://h" NR % 50 ".test/" NR }' numbered.urls >web.urls
awk 'NR % 10 == 3' web.urls >seeds.txt

# at_addresses PORT: as curl takes it, where each host is
at_addresses() {
	for i in $(seq 0 49); do
		echo "--connect-to h$i.test:80:127.0.0.$((i % 10 + 1)):$1"
	done
}

# start_crawl NAME ARGUMENTS: one with a server of its own, in the background
start_crawl() {
	name=$1
	shift
	serve --graph web.txt --urls web.urls --addresses 10 --log "$name.log" --faults slow=0.1:60ms
	# shellcheck disable=SC2046 # words
	background "$lycosa" crawl --seeds seeds.txt --store "$name" -H --delay ${delay}ms $(at_addresses "$port") \
		-q "$@" >"$name.out" 2>"$name.err"
	crawls="$crawls $!"
}

wait_for_crawls() {
	for pid in $crawls; do
		wait "$pid" || echo "a crawl ended with status $?" >>failed
	done
	crawls=
}

# check_log NAME: what is wrong into `problem`; status 1 where anything is
check_log() {
	"$lycosa" audit "$1.log" --delay ${delay}ms --rest ${delay}ms >audited 2>problem
	got=$?
	cat audited >>problem
	[ $got = 0 ] && grep -q '^# hosts: 50$' audited && grep -q '^# addresses: 10$' audited &&
		grep -q '^# pages: 200$' audited
}

# breaks RULE: whether the last log broke this rule
breaks() {
	awk -F '\t' -v rule="$1" '$1 == rule { n = $3 } END { exit !n }' audited
}

crawls=
for policy in $policies; do
	start_crawl "$policy" --policy "$policy" --total 200
done
# what the check is worth: with two at a time and no delay, and with hosts that are kept apart but addresses not,
# since a proxy, which is the server itself, hides them
start_crawl two --per-host 2 --delay 0
serve --graph web.txt --urls web.urls --log proxied.log --faults slow=0.1:60ms
background "$lycosa" crawl --seeds seeds.txt --store hosts -H --delay ${delay}ms --proxy "http://127.0.0.1:$port" \
	--parallel 50 -q >hosts.out 2>hosts.err
crawls="$crawls $!"
wait_for_crawls
for policy in $policies; do
	check_log "$policy"
	result $? "$policy: hosts and addresses are asked one by one, with time in between"
done

[ ! -s failed ] || cp failed problem
[ ! -s failed ]
result $? "all crawls have ended well"
check_log two
breaks host-delay && breaks address-delay
result $? "two requests at a time are found out"
check_log proxied
! breaks host-delay && ! breaks host-at-once && breaks address-delay
result $? "and so is an address whose hosts are asked side by side"

# a host that stalls, and 20 others
awk '{ print "http://" (NR % 2 ? "stall" : "h" NR / 2 % 20) ".test/" NR }' numbered.urls >web.urls
serve --graph web.txt --urls web.urls --log stall.log --faults slow=1:1h
stall=$port
serve --graph web.txt --urls web.urls --addresses 21 --log others.log
rules="--connect-to stall.test:80:127.0.0.1:$stall"
for i in $(seq 0 19); do
	rules="$rules --connect-to h$i.test:80:127.0.0.$((i + 2)):$port"
done
{ grep stall web.urls | head -n 3; grep /h web.urls; } >seeds.txt
# shellcheck disable=SC2086 # words
background "$lycosa" crawl --seeds seeds.txt --store stalled -H $rules --delay 20ms --parallel 4 --timeout 1h --first-byte-timeout 1h --read-timeout 1h --tries 1 \
	--policy bfs -q >stalled.out 2>problem
crawl=$!
others_are_there() { [ "$(grep -vc robots others.log)" -ge 100 ]; }
wait_until $crawl others_are_there
cp others.log then.log
grep 'test	/[0-9]' stall.log >given.up
wait_until $crawl in_vain kill -TERM $crawl
wait $crawl
[ "$(grep -vc robots then.log)" = 100 ] && [ ! -s given.up ]
result $? "a host that stalls slows no other: before it is given up, the $(grep -vc robots then.log) pages of 20 others are there"

# 503 with Retry-After is obeyed by the whole host: every page's first answer is one
awk 'NR <= 3 { print "http://busy.test/" NR }' numbered.urls >web.urls
printf '0\t1\n0\t2\n' >three.txt
serve --graph three.txt --urls web.urls --log busy.log --faults 503=1:1s
"$lycosa" crawl "http://busy.test/1" http://busy.test/2 --store busy -H --connect-to "::127.0.0.1:$port" --delay 0 \
	-q >busy.out 2>problem
sort -n busy.log | awk -F '\t' '!/robots/ {
	if (seen[$5]++ == 0) first[$1] = 1
	if (was_first && $1 - last < 998000) print "asked again after " $1 - last " us"
	was_first = $1 in first; last = $1; n++ } END { if (n != 6) print n " requests" }' >problem
[ ! -s problem ]
result $? "503 with Retry-After keeps the whole host from being asked"

# five hosts, each on its own address, whose robots.txt is on a sixth
cat >hub.py <<'END'
import http.server, signal, sys, threading, time
log = open("hub.log", "w", buffering=1)
class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        host, at = self.headers["Host"], self.server.server_address[0]
        log.write("%d\t%s\t%s\t%s\n" % (time.monotonic_ns() // 1000, at, host, self.path))
        elsewhere = self.path == "/robots.txt" and host != "hub.test"
        self.send_response(302 if elsewhere else 200)
        if elsewhere:
            self.send_header("Location", "http://hub.test/robots.txt")
        self.end_headers()
    def log_message(self, *args):
        pass
servers = [http.server.ThreadingHTTPServer(("127.0.0.%d" % i, 0), Server) for i in range(1, 7)]
for s in servers:
    threading.Thread(target=s.serve_forever, daemon=True).start()
print(*[s.server_address[1] for s in servers], flush=True)
signal.pause()
END
if python=$(command -v python3); then
	background "$python" hub.py >hub.ports 2>hub.err
	servers="$servers $!"
	wait_for hub.ports . "${servers##* }"
	rules=$(awk '{ for (i = 1; i <= 6; i++) printf "--connect-to %s.test:80:127.0.0.%d:%d ", i == 6 ? "hub" : "h" i, i, $i }' hub.ports)
	# shellcheck disable=SC2086 # words
	"$lycosa" crawl $(for i in 1 2 3 4 5; do echo "http://h$i.test/"; done) --store hub $rules --delay 100ms -q \
		>hub.out 2>problem
	sort -n hub.log | awk -F '\t' '$2 in last && $1 - last[$2] < 98000 { print $3 $4 ": " $1 - last[$2] " us after the last" }
		{ last[$2] = $1; at_hub += $3 == "hub.test"; pages += $4 == "/" }
		END { if (at_hub != 5 || pages != 5) print at_hub " at the hub, " pages " pages" }' >>problem
	verdict "a robots.txt on another host waits for the address of that"
else
	skip "a robots.txt on another host" "no python3 for a server that redirects it"
fi
