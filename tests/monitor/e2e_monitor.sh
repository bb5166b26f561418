#!/bin/sh
# A crawl that is watched and steered while it runs: the verbs of `lycosa ctl` and the interface behind them, what is kept
# across kill and resume, and requests that mean no good.
. "$(dirname "$0")/../tap.sh"
needs jq curl
plan 26

# twelve hosts; every page is asked for, and slowly enough that the crawl is still there
"$lycosa" graph generate --nodes 3000 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
awk '{ print "http://h" NR % 12 ".test/" NR }' web.urls >urls
head -n 24 urls >seeds.txt
serve --graph web.txt --urls urls --faults "404=0.1,slow=1:20ms"

# crawl STORE ARGUMENTS: in the background; $pid, $at and $token are its
crawl() {
	store=$1
	shift
	background "$lycosa" crawl --seeds seeds.txt --span-hosts --connect-to "::127.0.0.1:$port" --delay 0 --parallel 2 \
		--store "$store" --progress none --monitor "$@" >"$store.out" 2>"$store.err"
	pid=$!
	wait_for "$store.err" 'monitor at' $pid
	wait_for "$store/monitor" . $pid
	at=$(head -n 1 "$store/monitor")
	token=$(sed -n 2p "$store/monitor")
	wait_until $pid ctl_answers status --store "$store"
}

# view STORE: the page on a store, in the background; the file `token` has its token
view() {
	background "$lycosa" view "$1" 2>view.err
	pid=$!
	wait_for view.err 'monitor at' $pid
	at=$(sed -n 's,.*monitor at \(.*\)/#.*,\1,p' view.err)
	token=$(sed 's/.*#//' view.err)
	echo "$token" >token
}

ctl_answers() { "$lycosa" ctl "$@" >/dev/null 2>&1; }

ctl() {
	verb=$1
	shift
	"$lycosa" ctl "$verb" --store watched --json "$@"
}

# answers VERB [ARGUMENT...] FILTER: whether jq says yes to the answer; if not, the file `no` says what came instead
answers() {
	for filter in "$@"; do :; done
	asked=
	while [ $# -gt 1 ]; do
		asked="$asked $1"
		shift
	done
	# shellcheck disable=SC2086 # words
	ctl $asked >answer 2>errors && jq -e "$filter" answer >/dev/null && return 0
	{ echo "ctl $asked: not $filter"; cat errors; head -c 600 answer; echo; } >no
	return 1
}

# is ...: it answers so now
is() {
	answers "$@" || cat no >>problem
}

# eventually ...: it answers so in the end
eventually() { wait_until $pid answers "$@" || cat no >>problem; }

crawl watched --metrics 0
eventually status '.pages.crawled > 50'
is status '.stage == "running" and .policy.name == "scout" and .pages.seen >= .pages.crawled + .pages.failed + .pages.queued
	and .hosts.known == 12 and (.statuses | map(.status) | index(404)) != null and .machine.store_bytes > 0'
eventually status '(.depths | map(.crawled) | add) > 0'
is status '.hot.low < .hot.share and .hot.share < .hot.high and
	(.hot.share * (.pages.queued - .pages.deferred + .pages.in_flight) - (1 - .hot.share) * 4.58 * .pages.crawled | fabs) < 1e-6'
verdict "status tells pages, hosts, statuses and depths, and how much of the hot pages there is"
is hosts --sort-by crawled --count 3 '.hosts == 12 and (.rows | length) == 3 and .rows[0].crawled >= .rows[1].crawled'
is hosts --match h1 '.matching == 3'
is hosts --sort-by name '.rows[0].host == "h0.test" and .rows[11].host == "h9.test"'
verdict "hosts are sorted, cut and searched"
is next --count 5 '(.rows | length) == 5 and (.rows | all(.state == "queued" and (.why | startswith("scout"))))'
is history '(.ms | length) == (.crawled | length)'
verdict "next tells the coming pages, and history has its columns"
ctl next --count 1 >answer
queued=$(jq -r '.rows[0].url' answer)
is explain "$(head -n 1 seeds.txt)" '.depth == 0 and (.way | length) == 1'
is explain "$queued" ".way[-1] == \"$queued\" and (.way | length) == .depth + 1 or .depth == 0 or (.way | length) > .depth"
says 19 "does not know" "$lycosa" ctl explain --store watched http://h0.test/none
verdict "explain tells the way from a seed to a page"
# of all links of the store, those to this page; what the crawl knows is committed later
links_are_stored() {
	queued_from=$("$lycosa" store dump --store watched | awk -F '\t' -v url="$queued" 'NF == 2 && $2 == url' | wc -l)
	[ "$queued_from" -gt 0 ]
}
wait_until $pid links_are_stored || echo "nothing links to $queued" >problem
is explain "$queued" ".n_linked_from >= $queued_from and (.linked_from_is_cut | not) and (.linked_from | length) >= 1"
verdict "and the pages that link to it"

is pause '.stage == "paused"'
eventually status '.pages.in_flight == 0'
is status '.stage == "paused"'
before=$(jq .pages.crawled answer)
# the history has a sample a second
samples=$(ctl history | jq '.ms | length')
eventually history "(.ms | length) > $samples"
is status ".pages.crawled == $before"
eventually status '(.depths | map(add) | add) == .pages.seen and (.depths | map(.crawled) | add) == .pages.crawled
	and (.depths | map(.queued) | add) == .pages.queued and (.depths | map(.failed) | add) == .pages.failed'
ctl hosts >answer
jq -e "(.rows | map(.crawled) | add) == $before" answer >/dev/null || cat answer >>problem
is resume '.stage == "running"'
eventually status ".pages.crawled > $before"
verdict "a paused crawl asks for nothing until it is resumed, and its figures by depth and host add up"

is hold h3.test '.state == "held"'
eventually hosts --match h3.test '.rows[0].queued > 0'
is hosts --only held '.matching == 1'
is status '.hosts.held == 1'
is hosts --match h3.test '.rows[0].requests >= 0'
before=$(jq '.rows[0].requests' answer)
# the other hosts have many requests meanwhile, of those two that were in flight, at most, to this one
others=$(ctl status | jq .pages.crawled)
eventually status ".pages.crawled > $others + 50"
is hosts --match h3.test ".rows[0].requests <= $before + 2"
is release h3.test '.state != "held"'
eventually hosts --match h3.test ".rows[0].requests > $before + 2"
says 19 "no host" "$lycosa" ctl hold --store watched nowhere.test
verdict "a host is held and released"

is seed http://extra.test/1 http://h1.test/added '.queued == 2'
is explain http://extra.test/1 '.depth == 0'
says 2 "is not http" "$lycosa" ctl seed --store watched ftp://x/
verdict "seeds are added while the crawl runs"
is block h5.test '.removed > 0 and .host == "h5.test"'
is hosts --only blocked '.matching == 1 and .rows[0].host == "h5.test" and .rows[0].state == "blocked"'
says 2 "is no host" "$lycosa" ctl block --store watched 'h5.test/a'
says 2 "is no host" "$lycosa" ctl block --store watched 'h6.test%2ch7.test'
says 2 "is blocked" "$lycosa" ctl seed --store watched http://h5.test/more
eventually hosts --match h5.test '.rows[0].queued == 0'
verdict "a blocked host loses its queued pages, seeds included"
is delay 3ms '.delay_ms == 3'
says 2 "is no time" "$lycosa" ctl delay --store watched soon
verdict "the delay changes"

# the interface itself, asked badly
code() {
	want=$1
	shift
	got=$(curl -s -o answer -w '%{http_code}' ${token:+-H "Authorization: Bearer $token"} "$@")
	[ "$got" = "$want" ] || { echo "$got, not $want: $*"; head -c 300 answer; echo; } >>problem
}
json='Content-Type: application/json'
code 200 "$at/api/status"
code 200 "$at/api"
code 404 "$at/api/statu"
grep -q "the nearest is 'status'" answer || cat answer >>problem
code 404 "$at/apis"
code 400 "$at/api/status?x=1"
code 400 "$at/api/hosts?count=many"
code 400 "$at/api/hosts?sort-by=beauty"
code 400 "$at/api/hosts?match=%FF"
code 400 "$at/api/explain"
code 405 "$at/api/pause"
code 405 -X POST -H "$json" -d '{}' "$at/api/status"
code 405 -X DELETE "$at/api/pause"
verdict "unknown verbs, arguments and methods are refused with a reason"
code 400 -X POST -H "$json" -d '{"host":' "$at/api/block"
code 400 -X POST -H "$json" -d '[]' "$at/api/pause"
code 400 -X POST -H "$json" -d '{"host": 7}' "$at/api/block"
code 400 "$at/api/hosts?only=asleep"
grep -q "no host is 'asleep'" answer || cat answer >>problem
code 400 -X POST -H "$json" -d '{"urls": []}' "$at/api/seed"
code 400 -X POST -H "$json" -d '{"a": "1", "a": "2"}' "$at/api/pause"
head -c 300000 /dev/zero | tr '\0' '[' >long
code 413 -X POST -H "$json" --data-binary @long "$at/api/seed"
head -c 60000 long >deep
code 400 -X POST -H "$json" --data-binary @deep "$at/api/seed"
code 431 -H "X-Long: $(head -c 20000 long)" "$at/api/status"
verdict "bad, long and deep JSON is refused"
code 415 -X POST -d 'host=h1.test' "$at/api/block"
code 403 -X POST -H "$json" -H 'Origin: http://evil.test' -d '{}' "$at/api/stop"
known=$token
token=
for host in 127.0.0.1 localhost:1 evil.test 127.0.0.1.evil.test; do
	code 401 -H "Host: $host" "$at/api/status"
	code 401 -H "Host: $host" "$at/metrics"
done
metrics=$(sed -n 's/^lycosa: metrics at //p' watched.err)
code 403 -H 'Host: evil.test' "$metrics"
code 403 -H 'Host: 127.0.0.1.evil.test' "$metrics"
code 200 -H 'Host: localhost:1' "$metrics"
code 200 "$metrics"
token=$known
code 200 -H 'Host: localhost:1' "$at/api/status"
code 200 -X POST -H "$json" -H "Origin: $at" -d '{}' "$at/api/resume"
verdict "other sites can neither read nor command: form, Origin, Host (DNS rebinding)"
curl -s -D head -o page "$at/"
grep -qi "^content-security-policy: default-src 'none'; script-src 'self'" head && grep -qi '^x-content-type-options: nosniff' head &&
	! grep -qiE 'onclick=|<script>|innerHTML' page
result $? "the page allows no script but its own file"
! grep -qE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(' "$top/monitor/page/page.js"
result $? "and its script sets texts, never markup"
curl -s -H "Authorization: Bearer $token" "$at/metrics" | awk -f "$top/tests/monitor/prometheus.awk" >problem
verdict "the monitor serves the metrics, too"
for i in $(seq 100); do
	curl -s -o /dev/null -H "Authorization: Bearer $token" "$at/api/next" &
	askers="${askers:-} $!"
done
wait $askers
eventually status '.stage == "running"'
verdict "a hundred connections at once leave the crawl answering"

# killed, and resumed by the same command
kill -9 $pid
wait $pid 2>/dev/null
[ -s watched/monitor ] || echo "no file is left behind" >>problem
says 19 "no crawl with a monitor runs on" "$lycosa" ctl status --store watched
crawl watched --no-delay
is status '.blocked == "h5.test" and .stage == "running" and .hosts.held == 0'
is explain http://extra.test/1 '.depth == 0 and .state != "unseen"'
is hosts --match h5.test '.rows[0].state == "blocked" and .rows[0].queued == 0'
is unblock h5.test '.queued > 0'
is stop '.stage == "stopping"'
wait $pid
[ $? = 17 ] || echo "not status 17" >>problem
[ ! -e watched/monitor ] || echo "the file is still there" >>problem
status 0 "$lycosa" store verify --store watched
verdict "after a kill, added seeds and blocks are there, holds are not; stop ends with status 17"
crawl again --max-pages 60
has_pages() { "$lycosa" ctl status --store again --json | jq -e '.pages.crawled >= 20' >/dev/null; }
wait_until $pid has_pages
kill $pid
wait $pid
"$lycosa" crawl --store watched --connect-to "::127.0.0.1:$port" --delay 0 --max-time 1 --progress none >out 2>errors || { echo "status $?"; cat errors; } >>problem
status 0 "$lycosa" store verify --store watched
verdict "and the store resumes without a monitor"

# the same page on a store
crawled=$("$lycosa" store info --store again | sed -n 's/^crawled	//p')
cp -r again kept
view kept
wait_until $pid ctl_answers status --url "$at" --token token
"$lycosa" ctl status --url "$at" --token token --json >answer
jq -e ".stage == \"stored\" and .pages.crawled == $crawled and (.statuses | map(select(.status == 200)) | .[0].count) == $crawled and
	(.depths | map(.crawled) | add) == $crawled and .pages.in_flight == 0" answer >/dev/null || cat answer >>problem
"$lycosa" ctl next --url "$at" --token token --count 3 --json | jq -e '.rows | length == 3' >/dev/null || echo "no next pages" >>problem
"$lycosa" ctl explain --url "$at" --token token "$(head -n 1 seeds.txt)" --json | jq -e '.depth == 0 and (.way | length) == 1' >/dev/null ||
	echo "no explanation" >>problem
verdict "view shows the crawl in a store: pages, queue and keys"
code 400 -X POST -H "$json" -d '{"host": "h1.test"}' "$at/api/block"
grep -q 'only viewed' answer || cat answer >>problem
kill $pid
wait $pid || echo "status $?" >>problem
cmp kept/data.mdb again/data.mdb >>problem 2>&1
says 3 "no store in" "$lycosa" view none
verdict "and changes nothing there"

# rankmass divides a mass among seeds; pages that are let in again are seeds
keys() { jq -r '.rows[] | "\(.url) \(.key)"' "$1" | LC_ALL=C sort; }
# 329 names of 190 characters: with their commas they fit into the 64 KiB that a setting may have, and few more would
long=$(printf '%060d.%060d.%060d' 0 0 0)
crawl ranked --policy rankmass --max-pages 400 --block-hosts "$(seq -s , -f "$long.%g.test" 329)"
"$lycosa" ctl pause --store ranked >/dev/null
host=$("$lycosa" ctl hosts --store ranked --json | jq -r '.rows[0].host')
"$lycosa" ctl block --store ranked "$host" >/dev/null && "$lycosa" ctl unblock --store ranked "$host" --json >answer
jq -e '.queued > 1' answer >/dev/null || cat answer >>problem
is_at_rest() { "$lycosa" ctl status --store ranked --json | jq -e '.pages.in_flight == 0' >/dev/null; }
wait_until $pid is_at_rest
"$lycosa" ctl next --store ranked --count 200 --json >answer && keys answer >live
# a list of blocked hosts has an end
for i in $(seq 330 400); do
	code 200 -X POST -H "$json" -d "{\"host\": \"$long.$i.test\"}" "$at/api/block"
	[ "$got" = 200 ] || break
done
grep -q 'unblock some of them' answer && [ "$i" -gt 300 ] && rm -f problem || cat answer >>problem
"$lycosa" ctl status --store ranked --json | jq -r .blocked | tr ',' '\n' | wc -l | grep -qx $((i - 1)) || echo "not $((i - 1)) hosts" >>problem
"$lycosa" ctl unblock --store ranked "$long.1.test" >/dev/null 2>>problem
verdict "a list of blocked hosts that is full takes no further host"
"$lycosa" ctl stop --store ranked >/dev/null
wait $pid
view ranked
wait_until $pid ctl_answers next --url "$at" --token token
"$lycosa" ctl next --url "$at" --token token --count 200 --json >answer && keys answer >stored
# of the pages in both lists: where two hosts are equally near, either may come last
join live stored >both
grep -q "//$host/" both || cat live stored >>problem
awk '$2 != $3' both >>problem
kill $pid
wait $pid
verdict "the pages of an unblocked host have the same keys in a later sitting"

says 2 "is no port" "$lycosa" crawl http://h1.test/ --store none --connect-to "::127.0.0.1:$port" --monitor=x
says 2 "name the crawl" "$lycosa" ctl status
says 3 "is no store" "$lycosa" ctl status --store none
says 19 "no crawl with a monitor" "$lycosa" ctl status --store watched
echo short >token
says 3 "is no token" "$lycosa" crawl http://h1.test/ --store none --connect-to "::127.0.0.1:$port" --monitor --monitor-token token
[ ! -e none ] || echo "a store was made" >>problem
verdict "wrong calls are told with the way out"
echo 0123456789abcdefgh >token
crawl secret --monitor-token token
token=
code 401 "$at/api/status"
code 401 "$at/metrics"
code 401 -H 'Authorization: Bearer 0123456789abcdefgH' "$at/api/status"
code 401 -X POST -H "$json" -d '{}' "$at/api/stop"
code 200 -H 'Authorization: Bearer 0123456789abcdefgh' -H 'Host: any.name' "$at/api/status"
code 200 "$at/"
"$lycosa" ctl status --url "$at" --token token >/dev/null 2>>problem
[ "$(stat -c %a secret/monitor)" = 600 ] || stat secret/monitor >>problem
kill $pid
wait $pid
verdict "with a token, nobody reads or commands without it"
background "$lycosa" crawl --seeds seeds.txt --span-hosts --connect-to "::127.0.0.1:$port" --delay 0 --store open --monitor=0.0.0.0:0 \
	--progress none >/dev/null 2>open.err
pid=$!
wait_for open.err 'monitor at http://0.0.0.0:[0-9]*/#[0-9a-f]\{32\}$' $pid
wait_until $pid ctl_answers status --store open
cp open.err problem
result $? "a monitor for other machines makes a token, which the store tells ctl"
kill $pid
wait $pid || :
