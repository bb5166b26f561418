#!/bin/sh
# Name servers that are gone for a while cost no page: hosts found meanwhile wait until their names are resolved.
# The names stand in a hosts file and the name server is a closed port, both seen by this test alone.
. "$(dirname "$0")/../tap.sh"
may_mount || skip_all "$no_mounts"
plan 3

"$lycosa" graph generate --nodes 1500 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls numbered.urls web.txt
awk '{ print "http://n" NR % 60 ".example/" NR }' numbered.urls >web.urls
serve_to_return --graph web.txt --urls web.urls --addresses 20
kill "$server" && wait "$server" 2>/dev/null
sed -i "s|.example/|.example:$port/|" web.urls
serve --graph web.txt --urls web.urls --addresses 20 --port "$port"
head -n 3 web.urls >seeds.txt
cp /etc/hosts without.hosts
{ cat without.hosts; for i in $(seq 0 59); do echo "127.0.0.$((i % 20 + 1)) n$i.example"; done; } >with.hosts
cp with.hosts now.hosts
printf 'nameserver 127.0.0.9\noptions timeout:1 attempts:1\n' >resolv.conf

# crawl STORE [COMMAND...]: with the hosts file now.hosts and no name server, by way of the command
crawl() {
	name=$1
	shift
	exec $unshare sh -c 'mount --bind now.hosts /etc/hosts && mount --bind resolv.conf /etc/resolv.conf && exec "$@"' sh \
		"$@" "$lycosa" crawl --seeds seeds.txt --store "$name" -H --allow-private --delay 10ms --parallel 8 --log "$name.log" \
		>"$name.out" 2>"$name.err"
}
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1.out"; }

(crawl whole) && [ "$(figure whole crawled)" -gt 1000 ]
result $? "a crawl whose names are resolved ends, with most of the web"
preload at_call.so "$build/tests/faults/at_call.so"
crawl gone env AT_CALL=stop:50 LD_PRELOAD="$preloaded" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" &
pid=$!
wait_until $pid grep -qs '^State:.T' /proc/$pid/status
cat without.hosts >now.hosts
kill -CONT $pid
# names that it has resolved before stay known for a while
tried_again() { [ "$(grep -c '"error":"' gone.log)" -ge 5 ]; }
wait_until $pid tried_again
cat with.hosts >now.hosts
wait $pid && [ "$(figure gone end)" = done ] && [ "$(figure gone failed)" = "$(figure whole failed)" ]
result $? "names that cannot be resolved for a while fail no page"
"$lycosa" store dump whole >whole.dump && "$lycosa" store dump gone >gone.dump && cmp whole.dump gone.dump >problem
result $? "and the pages are those of the crawl without the outage"
