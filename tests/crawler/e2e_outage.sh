#!/bin/sh
# An outage is not the pages' fault: the server goes away in the middle of a crawl and comes back, and the
# crawl ends with the pages of a crawl without the outage. One that does not come back is given up, with
# the queue kept, and a later sitting finds everything.
. "$(dirname "$0")/../tap.sh"
plan 14

"$lycosa" graph generate --nodes 700 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
head -n 5 web.urls >seeds.txt
serve_to_return --graph web.txt
kept=$port

# crawl STORE ARGUMENT...: by way of the command $via
via=
crawl() {
	name=$1
	shift
	$via "$lycosa" crawl --seeds seeds.txt --store "$name" -H --connect-to "::127.0.0.1:$kept" --delay 0 \
		--parallel 4 --parallel-per-host 4 --log "$name.log" "$@" >"$name.out" 2>"$name.err"
}

# figure STORE NAME: a row of the crawl's results
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1.out"; }

# outage ARGUMENT...: a crawl in the background as $pid, from which the server goes away in the middle
outage() {
	via="stopped_at 200"
	crawl "$@"
	via=
	kill "$server" && wait "$server" 2>/dev/null
	kill -CONT $pid
}

# tries STORE: how many requests have had no answer
tries() { grep -c '"error":"unreachable"' "$1.log"; }
more_tries() { [ "$(tries "$1")" -gt "$2" ]; }
# waiting STORE: once the crawl has said that it waits, and has tried again in vain
waiting() {
	wait_for "$1.err" 'no host answers' $pid && wait_until $pid more_tries "$1" "$(tries "$1")"
}

back() { serve --graph web.txt --port "$kept"; }

same_pages() {
	"$lycosa" store dump --store "$1" >"$1.dump" && cmp whole.dump "$1.dump" >>problem
}

crawl whole -q && "$lycosa" store dump --store whole >whole.dump && [ "$(figure whole crawled)" -gt 500 ]
result $? "a crawl without an outage ends, with most of the web"

# 2. until the crawl says that it waits, and has tried again in vain
outage short --metrics 0
waiting short
curl -s "$(sed -n 's/^lycosa: metrics at //p' short.err)" >metrics 2>/dev/null
back
wait $pid && [ "$(figure short end)" = done ] && [ "$(figure short failed)" = "$(figure whole failed)" ] &&
	same_pages short
result $? "a server that is away for a while costs no page"
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
outage long --give-up-after 2s
wait $pid
[ $? = 21 ] && [ "$(figure long end)" = unreachable ] && [ "$(figure long queued)" -gt 0 ] &&
	[ $(($(figure long crawled) + $(figure long refused) + $(figure long redirected) + $(figure long queued))) = "$(figure long seen)" ] &&
	[ "$(figure long failed)" = 0 ]
result $? "a server that stays away is given up: an end and a status of its own, no page failed"
grep -q 'have stopped answering; the same command tries them again' long.err
result $? "and the message says how to go on"
back
crawl long -q && [ "$(figure long end)" = done ] && same_pages long
result $? "the same command has every page, once the server is back"

# 7. killed in the outage, and resumed while it lasts
outage killed
waiting killed
kill -9 $pid
wait $pid 2>/dev/null # the shell tells that it was killed
was=$(tries killed)
crawl killed -q &
pid=$!
wait_until $pid more_tries killed "$was"
back
wait $pid && [ "$(figure killed end)" = done ] && same_pages killed
result $? "a crawl killed and resumed in an outage has every page"

# 8. one host of two
awk -F / '{ print "http://" (NR % 2 ? "a" : "b") ".test/" NR - 1 }' web.urls >two.urls
head -n 40 two.urls >two.txt
serve --graph web.txt --urls two.urls
other=$port
kept_server=$server
serve_to_return --graph web.txt --urls two.urls
gone=$port
two() {
	name=$1
	shift
	"$@" "$lycosa" crawl --seeds two.txt --store "$name" -H --delay 3ms --parallel-per-host 2 --log "$name.log" \
		--connect-to "a.test:80:127.0.0.1:$other" --connect-to "b.test:80:127.0.0.1:$gone" >"$name.out" 2>"$name.err"
}
two both env && "$lycosa" store dump --store both >whole.dump && [ "$(figure both crawled)" -gt 500 ] ||
	echo "the crawl without an outage is not whole" >>problem
two one stopped_at 170
kill "$server" && wait "$server" 2>/dev/null
kill -CONT $pid
wait_until $pid more_tries one 2
serve --graph web.txt --urls two.urls --port "$gone"
wait $pid && [ "$(figure one end)" = done ] && same_pages one && kill -0 "$kept_server"
result $? "one host of two that is away for a while costs no page of either"

# 10. failed pages are taken up again
kill "$server" && wait "$server" 2>/dev/null
again() {
	"$lycosa" crawl --seeds two.txt --store again -H --delay 0 --parallel-per-host 2 --tries 1 \
		--connect-to "a.test:80:127.0.0.1:$other" --connect-to "b.test:80:127.0.0.1:$gone" "$@" >again.out 2>again.err
}
again && [ "$(figure again failed)" -gt 15 ] && again && [ "$(figure again crawled_now)" = 0 ]
result $? "pages of a host that never answered have failed, and stay so"
again --retry-failed=5xx,timeout && [ "$(figure again crawled_now)" = 0 ] && [ "$(figure again failed)" -gt 15 ]
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
