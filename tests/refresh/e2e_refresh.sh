#!/bin/sh
# Pages that are visited again: what has changed, is gone, has moved or is new is told and kept; visits have a budget; and kills
# lose nothing. REFRESH_KILLS: how many.
. "$(dirname "$0")/../tap.sh"
needs jq python3 sqlite3
plan 25
kills=${REFRESH_KILLS:-12}

# page N WORDS LINKS...: writes page N of the site
page() {
	name=$1 words=$2
	shift 2
	{ echo "<title>$name</title><p>$words"; for to in "$@"; do echo "<a href=$to>$to</a>"; done; } >"site/$name"
}

mkdir site
page index "the first" $(seq 1 39)
for i in $(seq 1 39); do page "$i" "page $i" $((i % 39 + 1)) index; done
touch -d '10 days ago' site/*
python3 "$top/tests/refresh/changing_server.py" port site requests.log &
servers="$servers $!"
wait_for port . || exit 1
site=http://127.0.0.1:$(cat port)

refresh() {
	store=$1
	shift
	: >requests.log
	"$lycosa" crawl --store "$store" --refresh --delay 0 --parallel-per-host 4 -q "$@" >refresh.out 2>refresh.err || { cat refresh.err >>problem; return 1; }
}

# forever STORE N FLAGS...: pages are visited again and again, until so many requests have been made; $took ms at least have passed then,
# and $asked requests at most
has_asked() { [ "$(wc -l <requests.log)" -ge "$1" ]; }
forever() {
	store=$1 n=$2
	shift 2
	: >requests.log
	began=$(date +%s%3N)
	background "$lycosa" crawl --store "$store" --refresh --forever --delay 0 --parallel-per-host 4 -q "$@" >refresh.out 2>refresh.err
	pid=$!
	wait_until $pid has_asked "$n"
	asked=$(wc -l <requests.log)
	took=$(($(date +%s%3N) - began))
	kill -INT $pid
	wait $pid
	[ $? = 17 ] || { cat refresh.err >>problem; return 1; }
}

# counts NAME=VALUE...: of the summary
counts() {
	for pair in "$@"; do
		[ "$(awk -v n="${pair%=*}" '$1 == n { print $2 }' refresh.out)" = "${pair#*=}" ] || echo "not $pair" >>problem
	done
	[ -s problem ] && cat refresh.out >>problem
	[ ! -s problem ]
}

says 2 "nothing to refresh" "$lycosa" crawl --store none --refresh "$site/index" && [ ! -e none ]
result $? "without a crawl there is nothing to refresh"
# once robots.txt was asked for, which the page follows an hour later
background "$lycosa" crawl --store begun --delay 1h -q "$site/index" >refresh.out 2>problem
pid=$!
wait_for requests.log robots $pid
kill -INT $pid
wait $pid
grep -q '^crawled	0$' refresh.out && forever begun 1 && grep -q '^crawled	[1-9]' refresh.out
result $? "a crawl that has no page yet is refreshed"
"$lycosa" crawl --store s --delay 0 --parallel-per-host 4 -q "$site/index" >refresh.out 2>problem
"$lycosa" store dump --store s >first.dump
says 2 "do not visit pages again" "$lycosa" crawl --store s --refresh --join nats://127.0.0.1:9/x &&
	says 2 "give --refresh, too" "$lycosa" crawl --store s --forever
result $? "--forever is about --refresh"

refresh s && counts crawled=40 visited=40 visits_same=40 visits_new=0
result $? "each page is visited once, and is the same"
[ "$(grep -c ' 304$' requests.log)" = 40 ] && ! grep -q ' 200$' requests.log
result $? "and none is sent again"

page 3 "page 3 is another" 4 index
page 5 "page 5 leads to a new one" 6 index 40
page 40 "the new page" index
rm site/7
echo "moved $site/9" >site/8
refresh s --log visits.jsonl
counts visited=40 visits_same=36 visits_changed=2 visits_gone=1 visits_moved=1 visits_failed=0 visits_new=1 crawled=41
result $? "what has changed, is gone, has moved, or is new is told"
jq -r '"\(.event) \(.url)"' visits.jsonl | grep -v ^unchanged | sed "s|$site/||" | LC_ALL=C sort >told
printf '%s\n' 'changed 3' 'changed 5' 'crawled 40' 'gone 7' 'moved 8' | diff - told >problem
verdict "and stands in the log"
"$lycosa" store verify --store s >problem 2>&1 && "$lycosa" store info --store s --json | jq -e '.visited == 40 and .visits == 80 and .changes == 4' >>problem
result $? "and in the store, which is sound"
"$lycosa" store explain --store s "$site/7" >problem && grep -q '^# now: gone' problem && grep -q '^# changes: .*Z gone$' problem &&
	"$lycosa" store explain --store s "$site/40" >problem && grep -q "^# found_by_visit_of: $site/5" problem
result $? "explain tells the history of a page, and which visit has found a new one"
{
	"$lycosa" export --store s --pages --to jsonl | jq -r --arg site "$site/" '[(.url | ltrimstr($site)), .visits, .now, .now_status, .changes,
		(.now_digest == .digest), (.changes_a_day > 0), .last_visit > .time] | @tsv' | grep -E '^(3|7|8|9|40)	' | LC_ALL=C sort
	"$lycosa" export --store s --changes --to jsonl | jq -r --arg site "$site/" '[(.url | ltrimstr($site)), .number, .now, .status,
		(.target // "" | ltrimstr($site)), (.digest != null), .before < .time] | @tsv' | LC_ALL=C sort
	"$lycosa" export --store s --changes --host "${site#http://}" --to sqlite s.db && sqlite3 s.db 'SELECT count(*), typeof(max(time)) FROM changes'
	"$lycosa" export --store s --pages --to sqlite s.db && sqlite3 s.db 'SELECT sum(visits), sum(changes), typeof(max(changes_a_day)) FROM pages'
	"$lycosa" export --store s --changes | wc -l
} >told 2>&1
tr ' ' '\t' <<'END' | diff told - >problem
3 2 there 200 1 false true true
40     false false false
7 2 gone 404 1 true true true
8 2 moved 301 1 true true true
9 2 there 304 0 true true true
3 1 there 200  true true
5 1 there 200  true true
7 1 gone 404  false true
8 1 moved 301 9 false true
4|text
80|4|real
5
END
verdict "export has what the visits have found, page by page and change by change"
"$lycosa" store dump --store s | grep -v '/40	' | diff first.dump - >problem
verdict "results and links stay those of the crawl"
"$lycosa" export --store s --pages --to jsonl >pages.jsonl
since=$(jq -rs 'map(.last_visit // empty) | max | .[:19]' pages.jsonl)
"$lycosa" export --store s --pages --since "$since" --to jsonl | jq -r .url | sort >told
jq -r --arg since "$since" 'select([.time // "", .last_visit // ""] | max >= $since) | .url' pages.jsonl | sort | diff - told >problem
[ -s told ] || echo "no page" >>problem
verdict "an export since a time has what was visited since"

page 7 "page 7 is there again" 8 index
refresh s && counts visited=41 visits_same=40 visits_changed=1 visits_gone=0 visits_moved=0
result $? "a page that was gone is there again; the others are as they were last seen"
refresh s --older-than 1h && counts visited=0 && [ ! -s requests.log ]
result $? "--older-than leaves out what was visited since"
forever s 22 --visits 864000 && [ "$took" -ge $(((asked - 2) * 100)) ]
result $? "--visits is a budget: $asked visits, ten a second, take $took ms"
forever s 100 --visits 8640000 --visit-order uniform &&
	[ "$(sort requests.log | uniq -c | awk '{ print $1 }' | sort -n | tail -n 1)" -le $((asked / 41 + 2)) ]
result $? "--forever visits pages again and again; uniform: all alike"

# a crawl goes on the same way with and without the snapshot of its frontier, from before or after a visit found new pages
for policy in echo opic bfs ieca; do
	rm -rf one two site2 && mkdir site2
	for i in $(seq 0 30); do { for k in 1 2 3; do echo "<a href=$(((i * 3 + k) % 60))>x</a>"; done; } >site2/$i; done
	for i in $(seq 31 90); do echo "page $i <a href=$(((i * 7) % 90))>x</a>" >site2/$i; done
	rm -f port2
	python3 "$top/tests/refresh/changing_server.py" port2 site2 requests2.log &
	other=$!
	servers="$servers $other"
	wait_for port2 . $other || exit 1
	at=http://127.0.0.1:$(cat port2)
	"$lycosa" crawl --store one --policy $policy --delay 0 --parallel 1 --max-pages 25 -q "$at/0" >out 2>>problem
	for i in 1 4 9 12; do echo "<a href=$((60 + i))>new</a><a href=$((75 + i))>new</a>" >>site2/$i; done
	"$lycosa" crawl --store one --refresh --delay 0 --parallel 1 --max-pages 35 -q >out 2>>problem
	cp -r one two && rm -f two/frontier
	"$lycosa" crawl --store one --delay 0 --parallel 1 --max-pages 70 --order one.order -q >out 2>>problem
	"$lycosa" crawl --store two --delay 0 --parallel 1 --max-pages 70 --order two.order -q >out 2>>problem
	cmp one.order two.order >>problem 2>&1
	[ "$(wc -l <one.order)" -gt 60 ] || echo "$policy: $(wc -l <one.order) pages" >>problem
	"$lycosa" store verify --store one >verify.out 2>&1 || cat verify.out >>problem
	kill $other && wait $other 2>/dev/null
done
verdict "after visits a crawl resumes alike with the snapshot of its frontier and without, under four policies"

# a sitemap, which is read again although it has not changed: the page that it claims has changed is visited behind the sitemap itself,
# and those that it claims have not come last, of which one in sixteen is a sample
rm -rf site3 port3 && mkdir site3
sitemap() {
	{
		echo "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
		for i in $(seq 48); do
			[ "$i" = 30 ] && date=$1 || date=$(printf '%s-%02d' "$2" $((i % 28 + 1)))
			[ "$i" -gt 40 ] && echo "<url><loc>/$i</loc></url>" || echo "<url><loc>/$i</loc><lastmod>$date</lastmod></url>"
		done
		echo "</urlset>"
	} >site3/map.xml
}
for i in index $(seq 48); do echo "page $i" >"site3/$i"; done
sitemap 2019-01-01 2018-01
python3 "$top/tests/refresh/changing_server.py" port3 site3 requests3.log &
servers="$servers $!"
wait_for port3 . $! || exit 1
at=http://127.0.0.1:$(cat port3)
printf 'Sitemap: %s/map.xml\n' "$at" >site3/robots.txt
"$lycosa" crawl --store m --follow-sitemaps --delay 0 --parallel 1 -q "$at/" >out 2>>problem
order() {
	: >requests3.log
	"$lycosa" crawl --store m --refresh --visit-worth equal --delay 0 --parallel 1 -q >refresh.out 2>>problem
	grep -v robots requests3.log | tr -d / >visits
	[ "$(sort -u visits | wc -l)" = 50 ] || echo "visits of $(sort -u visits | wc -l) pages" >>problem
	[ "$(sed -n 1p visits)" = "map.xml 200" ] || echo "no sitemap first" >>problem
}
order
sitemap "$(date -u +%FT%TZ)" 2018-01
order
[ "$(sed -n 2p visits)" = "30 304" ] || echo "no claimed change first" >>problem
[ "$(tail -n 25 visits | awk '$1 > 40 || $1 == "index" || $1 == 30' | wc -l)" = 0 ] || cat visits >>problem
# for all that it claims, each page that has changed is found
for i in $(seq 40); do echo "page $i, again" >>"site3/$i"; done
order
counts visits_changed=40
verdict "what a sitemap claims orders the visits, and loses none"

# kills at any instant
changes_of() { "$lycosa" store info --store "$1" --json | jq "$2"; }
before=$(changes_of s .changes) visits=$(changes_of s .visits) killed=0
for i in $(seq "$kills"); do
	for k in 1 2 3; do page $((i * 3 % 30 + k)) "version $i.$k" $k index; done
	killed_at $(((i * 37 + 11) % 90 + 1)) "$lycosa" crawl --store s --refresh --forever --visits 86400000 --delay 0 --parallel-per-host 4 -q \
		--log kills.jsonl >out 2>err && killed=$((killed + 1))
	"$lycosa" store verify --store s >verify.out 2>&1 || cat verify.out >>problem
	now=$(changes_of s .changes)
	[ "$now" -ge "$before" ] || echo "$before changes were $now after a kill" >>problem
	before=$now
	now=$(changes_of s .visits)
	[ "$now" -ge "$visits" ] || echo "$visits visits were $now after a kill" >>problem
	visits=$now
done
[ ! -s problem ]
result $? "after each of $kills kills the store is sound and has all it had"
[ "$killed" = "$kills" ]
result $? "the crawl was killed while it visited pages ($killed times)"
refresh s && counts visits_failed=0
result $? "a refresh after the kills ends"
refresh s && counts visited=41 visits_same=41
result $? "and then the store has the last version of each page"

# of 40 pages 10 have been crawled: the others compete with them for ten visits a second
"$lycosa" crawl --store part --delay 0 --parallel-per-host 4 --max-pages 10 -q "$site/index" >refresh.out 2>>problem
forever part 31 --visits 864000 --max-pages 30 --visit-worth equal --log both.jsonl
awk '$1 == "crawled" { new = $2 - 10 } $1 == "visited" { old = $2 } END { if (new < 5 || old < 5) print "new " new ", old " old }' refresh.out >>problem
[ "$took" -ge $(((asked - 2) * 100)) ] || echo "$asked requests in $took ms" >>problem
verdict "new pages and old ones compete for one budget"

# a robots.txt that disallows pages since the crawl
{ echo "User-agent: *"; echo "Disallow: /3"; } >site/robots.txt
refresh s && counts visited=41 visits_failed=0
result $? "robots.txt is kept for a day, as in every crawl"
"$lycosa" crawl --store u --delay 0 --max-pages 5 -q "$site/index" >out 2>>problem
refresh u --visit-worth equal && counts visited=5 visits_failed=0
result $? "all pages may be worth the same"
