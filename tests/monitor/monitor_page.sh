#!/bin/sh
# The page of the monitor in a real browser: it shows the crawl, runs under its own Content-Security-Policy without a word on
# the console, and takes URLs and hosts for text.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/archive/browser.sh"
[ -n "$browser" ] || skip_all "no chromium: the page of the monitor is not tried in a browser"
needs jq curl
plan 16

"$lycosa" graph generate --nodes 6000 --arcs-per-node 8 --rng-seed 3 --to edges web.txt
# what a site would like the page to run
awk 'BEGIN { for (i = 1; i <= 6000; i++) print "http://h" i % 7 ".test/" i "?q=<img%20src=x%20onerror=alert(1)>\"'\''&lt;script&gt;" i }' >urls
head -n 10 urls >seeds.txt
serve --graph web.txt --urls urls --faults "404=0.1,slow=1:5ms"
background "$lycosa" crawl --seeds seeds.txt --span-hosts --connect-to "::127.0.0.1:$port" --delay 250ms --store st --progress none \
	--monitor >out 2>err
pid=$!
# has_crawled N: the crawl answers, and has crawled more pages than that
has_crawled() { [ -s st/monitor ] && [ "$("$lycosa" ctl status --store st --json 2>/dev/null | jq .pages.crawled)" -gt "$1" ] 2>/dev/null; }
wait_until $pid has_crawled 30
at=$(head -n 1 st/monitor)
page="$at/#$(sed -n 2p st/monitor)"

# shown URL: the page as it is after some seconds of the browser's own time, in `dom`; the browser's talk in `talk`
shown() {
	"$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
		--user-data-dir="$work/profile" --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "$1" >dom 2>talk
}
# a chart needs two samples, which are taken a second apart, and that of keys needs pages that links led to
has_keys() { [ "$("$lycosa" ctl history --store st --json 2>/dev/null | jq '[.key[] | values] | length')" -ge 2 ] 2>/dev/null; }
wait_until $pid has_keys
# the page asks by turns for charts, hosts and the next pages
shows_all() {
	shown "$page"
	grep -q '<div id="charts"><figure>' dom && grep -q '<th scope="row" class="url"' dom && grep -q 'class="link" type="button"' dom
}
wait_until $pid shows_all
grep -q '<div id="charts"><figure>' dom && grep -q '<p id="stage" role="status" aria-live="polite" class="running">running</p>' dom
result $? "the page shows a crawl that runs"
grep -qE '<dt>Hot pages</dt><dd>about [0-9]+%</dd><dd>estimate, likely [0-9]+ to [0-9]+%</dd>' dom
result $? "and how much of the hot pages it has got so far"
# echo, the policy of this crawl, gives seeds a key of 10^12, which the chart leaves out, however few other pages there are yet
grep -o '<span>from [^<]*</span>' dom >range
grep -qE '^<span>from -?[0-9.]+ to -?[0-9.]+</span>$' range || cat range >problem
verdict "the chart of keys has the range of the usual ones"
# where a browser is slow, pages of its own say so
grep 'CONSOLE' talk | grep -v 'source: chrome://' >problem
verdict "and says nothing on the console"
grep -o 'class="link" type="button" title="[^"]*"' dom | grep -q 'onerror' && ! grep -q '<img' dom
result $? "URLs that hold markup are shown as text"
[ "$(grep -o '<th scope="row" class="url" title="h[0-6].test">' dom | sort -u | wc -l)" = 7 ]
result $? "the hosts are listed"
{
	grep -oE '<(input|select|textarea) id="[^"]*"' dom | sed 's/.*id="//; s/"//' | while read -r id; do
		grep -q "<label for=\"$id\"" dom || echo "$id has no label"
	done
	grep -o '<th[ >][^>]*' dom | grep -v 'scope=' && echo "a header without a scope"
	grep -o '<svg[^>]*>' dom | grep -v 'role="img" aria-label="' && echo "a chart without a text"
	grep -o '<button[^>]*>[^<]*</button>' dom | grep -E '>[[:space:]]*</button>' && echo "a button without a name"
	grep -q '<html lang="en">' dom || echo "no language"
} >problem
verdict "fields have labels, headers a scope, charts a text"
shown "$at/"
grep -q '<p id="problem"[^>]*>[^<]*the second line of the file monitor' dom
result $? "without the token it says where the token is"
{
	curl -s "$at/" | grep -oE "args\.[a-z]+|'sort-by'" | tr -d "'" | sed 's/args\.//' | sort -u >asked
	[ "$(wc -l <asked)" -ge 3 ] || cat asked
	while read -r name; do
		"$lycosa" ctl hosts --help | grep -q -- "--$name " || echo "the page filters by '$name', which hosts does not know"
	done <asked
} >problem
verdict "the filters of the page are arguments of the interface"

# the keyboard alone, in the page of the crawl that runs; the page looks again every two seconds
cat >walk <<'END'
until document.querySelectorAll('#hosts button').length && document.querySelectorAll('#next button').length
eval window.stops = [], window.focused = () => { const e = document.activeElement; return e.id || (e.closest('tbody, #host-head') || e).id || e.className || e.tagName }; 'page: ' + location.pathname
END
# more stops than the page has, so that the walk comes to its end and to the first one again
for i in $(seq 90); do
	cat <<'END'
press Tab
eval (e => { const s = getComputedStyle(e), r = e.getBoundingClientRect(), b = stops[stops.length - 1]; stops.push(e); return [focused(), parseFloat(s.outlineWidth) > 0 && s.outlineStyle !== 'none' ? 'marked' : 'unmarked', r.bottom > 0 && r.top < innerHeight ? 'seen' : 'unseen', !b || !b.isConnected || b.compareDocumentPosition(e) & 4 ? 'on' : 'back'].join(' ') })(document.activeElement)
END
done >>walk
# keys: presses and asks what its input says, with the answers in the file `keyed`
keys() {
	{ echo "open $page" && cat; } | browse keyed 2>problem || echo "status $?" >>problem
	grep '^console:' browser.errors >>problem
}
if [ -z "$python" ]; then
	for what in order marks commands escape hosts; do skip "the keyboard: $what" "no python 3.10"; done
else
	"$lycosa" ctl pause --store st >/dev/null
	open_browser
	keys <walk
	sed -n '2,$p' keyed | awk '$1 == "BODY" { exit } { print }' >stops
	for control in pause stop next host-head hosts match host-state url seeds delay-value; do
		grep -q "^$control " stops || echo "Tab does not come to $control" >>problem
	done
	grep back stops >>problem
	verdict "Tab comes to every control, in their order on the page"
	grep -e unmarked -e unseen stops >problem
	verdict "and what has the focus is marked and in sight"
	keys <<'END'
until document.querySelector('#next button') && document.getElementById('stage').textContent === 'paused'
press Tab Space
until document.getElementById('stage').textContent === 'running'
press Enter
until document.getElementById('stage').textContent === 'paused'
eval document.activeElement.id + ' ' + document.activeElement.textContent
eval document.getElementById('delay-value').focus()
type 40ms
press Enter
until document.getElementById('done').textContent === 'The delay is 40 ms'
END
	[ "$(cat keyed)" = 'pause Resume
null' ] || cat keyed >>problem
	verdict "Space and Enter press a button, and Enter sends a form"
	keys <<'END'
until document.querySelector('#next button') && document.getElementById('stage').textContent === 'paused'
press Tab Tab Enter
eval document.activeElement.textContent
press Escape
eval document.activeElement.textContent
press Tab Tab
eval window.asked = document.activeElement.title, asked.slice(0, 8)
press Enter
until document.activeElement.id === 'explained' && document.querySelector('#explained *')
press Escape
eval document.getElementById('explained').childNodes.length
eval document.activeElement.title === asked
END
	[ "$(cat keyed)" = 'Really stop?
Stop
http://h
0
true' ] || cat keyed >>problem
	verdict "Escape takes back a stop that is not confirmed, and closes an explanation and goes back to its link"
	keys <<'END'
until document.querySelectorAll('#hosts tr').length === 7 && document.getElementById('stage').textContent === 'paused'
eval document.getElementById('match').focus()
type h3
until document.querySelectorAll('#hosts tr').length === 1
press Tab Tab Tab Enter
until document.querySelector('#host-head th').getAttribute('aria-sort') === 'ascending'
eval document.activeElement.textContent
press Tab Tab Tab Tab Tab Tab Tab Tab Space
until document.activeElement.getAttribute('aria-label') === 'Release h3.test'
press Space
until document.activeElement.getAttribute('aria-label') === 'Hold h3.test'
eval window.begun = watch.turn
hold Space
until watch.turn > begun + 3
release Space
until document.activeElement.getAttribute('aria-label') === 'Release h3.test'
press Space
until document.activeElement.getAttribute('aria-label') === 'Hold h3.test'
END
	sed 3d keyed >stayed
	[ "$(cat stayed)" = 'null
Host' ] || cat keyed >>problem
	verdict "hosts are searched, sorted, held and released, also by a key that is down while the page looks again, and the focus stays where it was"
	close_browser
fi
shown "$page"
grep -q 'class="paused">paused</p>' dom && grep -q '<button id="pause" type="button">Resume</button>' dom
result $? "a paused crawl is shown as such"
kill $pid
"$lycosa" ctl resume --store st >/dev/null 2>&1
wait $pid
echo 0123456789abcdefgh >token
background "$lycosa" crawl --seeds seeds.txt --span-hosts --connect-to "::127.0.0.1:$port" --delay 100ms --store secret --progress none --monitor --monitor-token token \
	>out 2>err
pid=$!
has_monitor() { [ -s secret/monitor ] && "$lycosa" ctl status --store secret >/dev/null 2>&1; }
wait_until $pid has_monitor
shown "$(head -n 1 secret/monitor)/#0123456789abcdefgh"
grep -q 'class="running">running</p>' dom || cp err problem
verdict "the token comes in the fragment of the address"
kill $pid
wait $pid || :
