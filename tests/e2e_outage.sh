#!/bin/sh
# An outage is not the pages' fault: the server goes away in the middle of a crawl and comes back, and the
# crawl ends with the pages of a crawl without the outage. One that does not come back is given up, with
# the queue kept, and a later sitting finds everything.
. "$(dirname "$0")/tap.sh"
plan 14

"$lycosa" graph generate --nodes 1500 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
head -n 5 web.urls >seeds.txt
serve --graph web.txt
kept=$port

# start STORE ARGUMENT...: a crawl in the background as $pid, some seconds long
start() {
	name=$1
	shift
	"$lycosa" crawl --seeds seeds.txt --store "$name" -H --connect-to "::127.0.0.1:$kept" --delay 0 \
		--parallel 4 --parallel-per-host 4 "$@" >"$name.out" 2>"$name.err" &
	pid=$!
}

# figure STORE NAME: a row of the crawl's results
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1.out"; }

# stop_server: in the middle of the crawl of the store $name, whose log is $name.log
stop_server() {
	for i in $(seq 400); do
		[ "$(wc -l <"$name.log" 2>/dev/null || echo 0)" -ge "$1" ] && break
		sleep 0.02
	done
	kill "$server" && wait "$server" 2>/dev/null
}

back() { serve --graph web.txt --port "$kept"; }

same_pages() {
	"$lycosa" store dump --store "$1" >"$1.dump" && cmp whole.dump "$1.dump" >>problem
}

start whole -q
wait $pid && "$lycosa" store dump --store whole >whole.dump && [ "$(figure whole crawled)" -gt 1000 ]
result $? "a crawl without an outage ends, with most of the web"

# 2. some seconds, until the crawl says that it waits and a while longer
start short --limit-rate 20000 --log short.log --metrics 0
stop_server 200
wait_for short.err 'no host answers'
sleep 3
curl -s "$(sed -n 's/^lycosa: metrics at //p' short.err)" >metrics 2>/dev/null
back
wait $pid && [ "$(figure short end)" = done ] && [ "$(figure short failed)" = "$(figure whole failed)" ] &&
	same_pages short
result $? "a server that is away for some seconds costs no page"
grep -q 'no host answers' short.err && grep -q 'hosts answer again after' short.err
result $? "the crawl says that it waits, and that it goes on"

if command -v curl >/dev/null; then
	cp metrics problem
	grep -q '^lycosa_hosts{state="silent"} [1-9]' metrics && grep -qx 'lycosa_hosts{state="given_up"} 0' metrics
	result $? "meanwhile the metrics count its hosts as silent"
else
	skip "meanwhile the metrics count its hosts as silent" "no curl"
fi

# 4. away for longer than the crawl has patience
start long --limit-rate 20000 --log long.log --give-up-after 3s
stop_server 200
wait $pid
[ $? = 21 ] && [ "$(figure long end)" = unreachable ] && [ "$(figure long queued)" -gt 100 ] &&
	[ "$(figure long failed)" = 0 ]
result $? "a server that stays away is given up: an end and a status of its own, no page failed"
grep -q 'have stopped answering; the same command tries them again' long.err
result $? "and the message says how to go on"
back
start long -q
wait $pid && [ "$(figure long end)" = done ] && same_pages long
result $? "the same command has every page, once the server is back"

# 7. killed in the outage, and resumed while it lasts
start killed --limit-rate 20000 --log killed.log
stop_server 200
sleep 1
kill -9 $pid
wait $pid 2>/dev/null
start killed -q
sleep 2
back
wait $pid && [ "$(figure killed end)" = done ] && same_pages killed
result $? "a crawl killed and resumed in an outage has every page"

# 8. one host of two
serve --graph web.txt
other=$port
awk -F / '{ print "http://" (NR % 2 ? "a" : "b") ".test/" NR - 1 }' web.urls >two.urls
head -n 40 two.urls >two.txt
kill "$server" && wait "$server" 2>/dev/null
serve --graph web.txt --urls two.urls --port "$other"
kept_server=$server
serve --graph web.txt --urls two.urls
gone=$port
two() {
	"$lycosa" crawl --seeds two.txt --store "$1" -H --delay 5ms --parallel-per-host 2 --log "$1.log" \
		--connect-to "a.test:80:127.0.0.1:$other" --connect-to "b.test:80:127.0.0.1:$gone" >"$1.out" 2>"$1.err" &
	pid=$!
}
two both
wait $pid && "$lycosa" store dump --store both >whole.dump && [ "$(figure both crawled)" -gt 1000 ] ||
	echo "the crawl without an outage is not whole" >>problem
name=one
two one
stop_server 150
sleep 4
serve --graph web.txt --urls two.urls --port "$gone"
wait $pid && [ "$(figure one end)" = done ] && same_pages one && kill -0 "$kept_server"
result $? "one host of two that is away for a while costs no page of either"

# 10. failed pages are taken up again
kill "$server" && wait "$server" 2>/dev/null
again() {
	"$lycosa" crawl --seeds two.txt --store again -H --delay 0 --parallel-per-host 2 --tries 1 \
		--connect-to "a.test:80:127.0.0.1:$other" --connect-to "b.test:80:127.0.0.1:$gone" "$@" >again.out 2>again.err
}
again && [ "$(figure again failed)" -gt 50 ] && again && [ "$(figure again crawled_now)" = 0 ]
result $? "pages of a host that never answered have failed, and stay so"
again --retry-failed=5xx,timeout && [ "$(figure again crawled_now)" = 0 ] && [ "$(figure again failed)" -gt 50 ]
result $? "pages that failed for other reasons than those named stay failed"
serve --graph web.txt --urls two.urls --port "$gone"
again --retry-failed && [ "$(figure again failed)" = "$(figure both failed)" ] && same_pages again &&
	"$lycosa" store verify --store again >problem 2>&1 && : >problem
result $? "--retry-failed takes them up, and has every page"
says 2 "nearest is 'connect'" "$lycosa" crawl --store again --retry-failed=conect
result $? "a reason that is none is told"

# 9. a host that never answered is no outage
status 4 "$lycosa" crawl "http://127.0.0.1:9/" --allow-private --store never --tries 2 -q ||
	status 4 "$lycosa" crawl "http://127.0.0.1:1/" --store never1 --tries 2 -q
result $? "a seed that never answers fails, and is told at once"
