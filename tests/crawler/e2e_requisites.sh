#!/bin/sh
# crawl --requisites: what pages need is fetched beside the crawl, which is as it would be without.
. "$(dirname "$0")/../tap.sh"
needs python3
plan 12

background python3 "$top/tests/fetch/needy_server.py" 60 port log 2>server.err
servers="$servers $!"
wait_for port . $! || exit 1
site=http://127.0.0.1:$(cat port)
# the site's other host, which no seed names
also="--connect-to localhost:$(cat port):127.0.0.1:$(cat port)"
crawl() { "$lycosa" crawl $also --delay 0 --parallel 1 -q --reject-regex /rejected/ "$@" 2>>problem; }
asked() { awk -v host="$1" '$2 == host { print $3 }' log | LC_ALL=C sort; }
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }

: >log
for policy in bfs echo opic ieca random; do
	crawl --store "bare.$policy" --policy $policy --order "bare.order" --max-pages 40 "$site/0" >bare.out
	crawl --store "with.$policy" --policy $policy --order "with.order" --max-pages 40 --requisites "$site/0" >with.out
	cmp bare.order with.order >>problem 2>&1
	for name in crawled failed refused queued seen; do
		[ "$(figure bare.out $name)" = "$(figure with.out $name)" ] || echo "$policy: $name"
	done >>problem
	[ "$(figure with.out requisites)" -gt 40 ] || cat with.out >>problem
done
verdict "pages come in the same order under each policy, and no count of theirs changes"

: >log
crawl --store one --mirror one.files --warc one "$site/0" >out
grep -v 'robots.txt' log | awk '{ print $2, $3 }' | LC_ALL=C sort | uniq -d >twice
[ ! -s twice ] || cp twice problem
verdict "no page and no requisite is asked for twice, an image that is linked included"
for want in /style.css /next.css /img/paper.png /img/7.png; do
	asked 127.0.0.1 | grep -qx "$want" || echo "no $want"
done >>problem
asked localhost | grep -qx /own.woff && asked localhost | grep -qx /img/7.png || asked localhost >>problem
verdict "images, imported styles and fonts come, also from another host"
asked 127.0.0.1 | grep -E '/private/|/rejected/' >>problem
"$lycosa" store dump --store one/requisites --failed >failed 2>>problem
grep -q 'http://10.1.2.3/x.png.*private' failed || cat failed >>problem
verdict "but none that robots.txt, a rule or a private address forbids"
[ "$(asked 127.0.0.1 | grep -c '/deep')" = 2 ] || asked 127.0.0.1 >>problem
verdict "a style sheet that imports without end is followed for a few steps"
"$lycosa" archive list one-*.cdxj | awk -F'\t' '$4 == 200 { print $2 }' | LC_ALL=C sort -u >archived
"$lycosa" store dump --store one/requisites | awk -F'\t' 'NF == 3 && $2 == 200 { print $1 }' | LC_ALL=C sort >needed
[ "$(wc -l <needed)" = "$(figure out requisites)" ] && [ "$(wc -l <needed)" -gt 70 ] && [ -z "$(LC_ALL=C comm -13 archived needed)" ] ||
	LC_ALL=C comm -13 archived needed >>problem
verdict "the archive has them all"

crawl --store many --requisites "$site/many" >out
[ "$(figure out requisites)" = 1000 ] && [ "$(figure out crawled)" = 1 ] || cp out problem
verdict "of a page's 1,500 images the first 1,000 come"

# killed at one call after the other, and gone on with until it ends
n=0
code=137
while [ $code = 137 ]; do
	n=$((n + 1))
	at_call "kill:$((35 * n))" "$lycosa" crawl $also --delay 0 --parallel 1 -q --reject-regex /rejected/ --store killed --mirror killed.files --warc killed "$site/0" >out 2>errors
	wait $pid 2>/dev/null # the shell tells that it was killed
	code=$?
done
[ $code = 0 ] && [ $n -gt 4 ] || { echo "status $code after $n starts"; cat errors; } >>problem
"$lycosa" store dump --store killed/requisites | awk -F'\t' 'NF == 3 && $2 == 200 { print $1 }' | LC_ALL=C sort >kept
"$lycosa" archive list killed-*.cdxj | awk -F'\t' '$4 == 200 { print $2 }' | LC_ALL=C sort -u >archived
cmp needed kept >>problem 2>&1
diff -r -x '*.part' one.files killed.files >>problem 2>&1
[ "$(find killed.files -type f | wc -l)" -gt 120 ] || find killed.files >>problem
LC_ALL=C comm -13 archived kept >>problem
"$lycosa" store verify --store killed >verified 2>&1 || cat verified >>problem
"$lycosa" store verify --store killed/requisites >verified 2>&1 || cat verified >>problem
verdict "a crawl that is killed again and again fetches the same requisites, archives them, and has the same mirror"

: >log
"$lycosa" crawl $also --delay 30ms -q --max-pages 8 --store polite --requisites "$site/0" >out 2>>problem
awk '$2 == "127.0.0.1" { if (last && $1 - last < 0.027) print $1 - last, $0; last = $1 }' log >>problem
[ "$(figure out requisites)" -gt 10 ] || cat out >>problem
verdict "pages and requisites keep to one pause between two requests to a host"

: >log
"$lycosa" crawl $also --delay 0 --parallel 1 -q -H --policy bfs --max-pages 2 --store limited --requisites "$site/start" >out 2>>problem
awk '$3 == "/limited" { told = $1 } $3 == "/img/1.png" && $2 == "localhost" { image = $1 }
	END { if (!told || image - told < 1) print "429 at", told, "and asked again at", image }' log >>problem
verdict "a host that has asked the pages to wait is not asked for requisites meanwhile"

kill ${servers##* } && wait ${servers##* } 2>/dev/null
background python3 "$top/tests/fetch/needy_server.py" 1300 port2 log2 2>server.err
servers="$servers $!"
wait_for port2 . $! || exit 1
site=http://127.0.0.1:$(cat port2)
"$lycosa" crawl --delay 0 -q --store turns --requisites --trap-opt chain=0 --max-bytes 800k "$site/0" >out 2>>problem
grep -q /img/large.png log2 && [ "$(figure out crawled)" -ge 1000 ] && [ "$(figure out crawled)" -lt 1200 ] || cat out >>problem
verdict "a long crawl fetches requisites between its pages, and their bytes count for --max-bytes at once"
"$lycosa" crawl --delay 0 -q --store turns --requisites --trap-opt chain=0 "$site/0" >out 2>>problem
[ "$(figure out crawled)" = 1301 ] && [ "$(figure out requisites_queued)" = 0 ] && [ "$(grep -c /img/paper.png log2)" = 1 ] || cat out >>problem
verdict "and the next sitting goes on with both"
