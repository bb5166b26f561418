#!/bin/sh
# The commands that `store explain` and the summary of a crawl print get what they promise, run as they are printed.
. "$(dirname "$0")/../tap.sh"
plan 20
PATH=$build:$PATH

mkdir pages
number_of_pages=0
words="Pictures of the harbour, the market, the old town and the hills around it, taken since the club was founded."

# page URL TEXT LINK...: a page of the fake web
page() {
	url=$1 text=$2
	shift 2
	number_of_pages=$((number_of_pages + 1))
	{
		echo "<title>x</title><p>$text</p>"
		for link in "$@"; do echo "<a href='$link'>next</a>"; done
	} >pages/$number_of_pages.html
	printf '%s.html\t%s\n' $number_of_pages "$url" >>pages/index.tsv
}

# pages that differ in bytes alone, and lead one to the next
for i in $(seq 0 300); do
	page "http://gallery.test/gallery/$i" "$words<i style='background: url(/$i.jpg)'></i>" "/gallery/$(((i + 1) % 301))" http://more.test/
done
page http://more.test/ "Another site"
# a mirror in a folder
page http://mirror.test/ "Two editions" $(seq -f /new/%g 90) $(seq -f /old/%g 90)
for i in $(seq 90); do
	page "http://mirror.test/new/$i" "Chapter $i of the story of word$i, told by the $i sons of name$i in verse$i"
	page "http://mirror.test/old/$i" "Chapter $i of the story of word$i, told by the $i sons of name$i in verse$i"
done
# a new session id at each of two visits of thirty pages
for i in $(seq 60); do
	next=$((i + 1))
	page "http://session.test/p$((i % 30)).html?visit=a${i}bb7${i}c9d2x" "$words $((i % 30))" \
		"/p$((next % 30)).html?visit=a${next}bb7${next}c9d2x"
done
# a path that repeats itself
path=/x/
for i in $(seq 30); do
	page "http://repeats.test$path" "$words" x/
	path=${path}x/
done
# queries of one path
page http://queries.test/ "Queries" $(seq -f "/list?q=%g" 80)
for i in $(seq 80); do page "http://queries.test/list?q=$i" "$words"; done
# months of long ago, and months to come
year=$(date +%Y)
for i in $(seq 0 119); do
	next=$((i + 1))
	page "http://past.test/month/$(printf '%d/%02d' $((1949 - i / 12)) $((12 - i % 12)))" "Text number $i of word$i" \
		"/month/$(printf '%d/%02d' $((1949 - next / 12)) $((12 - next % 12)))"
	page "http://years.test/month/$(printf '%d/%02d' $((year + i / 12)) $((1 + i % 12)))" "Text number $i of word$i" \
		"/month/$(printf '%d/%02d' $((year + next / 12)) $((1 + next % 12)))"
done
# more hosts than the limit allows, and parameters in another order
page http://farm.test/ "Hosts" $(seq -f http://h%g.farm.test/ 6)
for i in $(seq 6); do page "http://h$i.farm.test/" "Host $i of word$i"; done
page http://order.test/ "Parameters" "/s?a=1&b=2" "/s?b=2&a=1"
page "http://order.test/s?a=1&b=2" "One content"
page "http://order.test/s?b=2&a=1" "Quite another"

# a chain without end, whose pages all differ, beside another host
for i in $(seq 0 1100); do
	page "http://chain.test/p/$i" "Page $i is about w$i and x$((i * 7)) and y$((i * 13)) and z$((i * 17)) and no other" "/p/$((i + 1))"
done
serve --pages pages
web=$port

# crawl STORE ARGUMENTS
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$@" --store "$store" --connect-to "::127.0.0.1:$web" --delay 0 --rejected rejected -q >summary 2>errors ||
		{ cat errors >>problem; return 1; }
}

figure() { sed -n "s/^$1	//p" summary; }

# again_of URL: the flags that stand beside it
again_of() { "$lycosa" store explain --store "$store" "$1" | sed -n 's/^# give_again: //p'; }
# remedy_of URL: what is printed for it
remedy_of() { "$lycosa" store explain --store "$store" "$1" | sed -n 's/^# remedy: //p'; }

# run COMMAND: as the user who gave the crawl its --connect-to, which a store alone does not decide, runs it
run() { sh -c "$1 --connect-to ::127.0.0.1:$web" >summary 2>errors; }

# helps REASON ALL: the first page that was rejected for the reason is crawled by the printed command, and then ALL pages are; the
# command leaves a sound store, and nothing to do again
helps() {
	url=$(awk -F '\t' -v reason="$1" '$2 == reason { print $1; exit }' rejected)
	[ -n "$url" ] || { echo "nothing is rejected for $1"; cat rejected summary; return; }
	remedy=$(remedy_of "$url")
	[ -n "$remedy" ] && [ "$(again_of "$url")" = --connect-to ] || { echo "no remedy for $url"; return; }
	run "$remedy" || { echo "status $? of $remedy"; cat errors; }
	"$lycosa" store explain --store "$store" "$url" | grep -qx '# state: crawled' || { echo "not crawled: $url, by $remedy"; cat summary errors; }
	[ "$(figure crawled)" = "$2" ] || { echo "$(figure crawled) pages of $2, by $remedy"; cat summary; }
	"$lycosa" store verify --store "$store" 2>&1 | grep -v 'is sound$'
	run "$remedy"
	[ "$(figure crawled_now)" = 0 ] || cat summary
}

crawl "it's here" http://gallery.test/gallery/0 -D gallery.test,more.test --trap-opt mirror=50 --trap-opt duplicates=80
[ "$(figure crawled)" -lt 200 ] || cat summary >>problem
grep -qx 'end	put_off' summary || cat summary >>problem
before=$store
cp -r "$before" alone && cp -r "$before" whole && cp rejected gallery.rejected
"$lycosa" crawl --store "$before" --strict --connect-to "::127.0.0.1:$web" >summary 2>errors
status=$?
told=$(sed -n "s/.*put off: [1-9].*(duplicate); '\(.*\)' (with --connect-to given again) crawls them/\1/p" errors)
[ $status -eq 22 ] && [ -n "$told" ] && [ "$told" = "$(remedy_of "$(awk -F '\t' '$2 == "duplicate" { print $1; exit }' gallery.rejected)")" ] ||
	{ echo "$status $told"; cat summary errors; } >>problem
verdict "a crawl that has put pages off says so, and names the command that crawls them"
helps duplicate 302 >>problem 2>&1
verdict "a chain of duplicates is crawled to its end"
"$lycosa" crawl --store "$before" --print-config >config 2>&1
grep -q 'domains = gallery.test,more.test' config && grep -q 'trap-opt = .*mirror=50.*duplicates=0' config ||
	grep -e trap -e domains config >problem
verdict "and the scope and the other limits of the crawl stay"
"$lycosa" crawl --store whole --connect-to "::127.0.0.1:$web" --retry-skipped --rescope -D gallery.test,more.test --trap-opt duplicates=0 >summary 2>errors
[ "$(figure crawled)" = 302 ] || cat summary errors >problem
verdict "a scope of its own with --retry-skipped takes the skipped pages up, too"
"$lycosa" crawl --store alone --connect-to "::127.0.0.1:$web" --retry-skipped >summary 2>errors
url=$(awk -F '\t' '$2 == "duplicate" { print $1; exit }' gallery.rejected)
grep -q 'skipped pages that are queued again: 1' errors && "$lycosa" store explain --store alone "$url" | grep -qx '# state: crawled' ||
	cat summary errors >problem
verdict "--retry-skipped alone gets the skipped pages, and says how many"

crawl mirror http://mirror.test/
helps mirror 181 >>problem 2>&1
verdict "a mirror is crawled"
crawl session "http://session.test/p1.html?visit=a1bb71c9d2x" --trap-opt duplicates=0
helps session-id 60 >>problem 2>&1
verdict "pages that differ in a session id are crawled"
crawl repeats http://repeats.test/x/
helps repeats 30 >>problem 2>&1
verdict "a path that repeats itself is crawled"
crawl queries http://queries.test/ --trap-opt queries=5 --max-pages 20
deferred() { "$lycosa" store explain --store queries "http://queries.test/list?q=$1" | grep -qx '# detector: queries'; }
for i in $(seq 80); do deferred "$i" && break; done
remedy=$(remedy_of "http://queries.test/list?q=$i")
run "$remedy --no-max-pages"
case $remedy in *queries=0) ;; *) echo "$i: $remedy" >>problem ;; esac
[ "$(figure crawled)" = 81 ] && [ "$("$lycosa" crawl --store queries --connect-to "::127.0.0.1:$web" -q | sed -n 's/^put_off	//p')" = 0 ] || cat summary errors >>problem
verdict "queries of one path that are deferred are crawled without delay"
crawl past http://past.test/month/1949/12 --trap-opt duplicates=40
helps calendar 120 >>problem 2>&1
verdict "months of long ago are crawled"
crawl years "http://years.test/month/$year/01" --trap-opt duplicates=40
helps calendar 120 >>problem 2>&1
verdict "months to come are crawled"
crawl hosts http://farm.test/ -D farm.test --trap-opt hosts=3
helps hosts 7 >>problem 2>&1
verdict "hosts beyond a limit are crawled"
crawl chain http://chain.test/p/0 --trap-opt chain=200
grep -qx 'end	put_off' summary || cat summary >>problem
helps chain 1101 >>problem 2>&1
verdict "a chain of pages that all differ is crawled to its end"
crawl budget http://mirror.test/ --max-per-host 20 --trap-opt mirror=0
helps budget 181 >>problem 2>&1
verdict "pages of a host that has had its pages are crawled"
crawl order http://order.test/
[ "$(figure crawled)" = 3 ] || cat summary >>problem
verdict "parameters in another order are crawled without a remedy"

crawl shares http://chain.test/p/0 http://more.test/ --max-pages 1050 --host-share 0.001 --trap-opt chain=0
grep -qx 'end	host-share' summary && [ "$(figure crawled)" = 1001 ] || cat summary errors >problem
"$lycosa" crawl --store shares --strict --connect-to "::127.0.0.1:$web" --delay 0 >summary 2>errors
[ $? -eq 16 ] && [ "$(figure crawled_now)" = 0 ] || cat summary errors >>problem
told=$(sed -n "s/.*budget: 1, with [1-9].*; '\(.*\)' (with --connect-to given again) goes on with them/\1/p" errors)
run "$told"
grep -qx 'end	max-pages' summary && [ "$(figure crawled)" = 1050 ] || { echo "$told"; cat summary errors; } >>problem
verdict "a host that has had its share of a budget waits, and the command that is printed gives it the rest"

# --- what comes next, by the summary

# next_of STORE WORDS: the command of the last summary that does this
next_of() { sed -n "s/^  \(lycosa .*[^ ]\)  *$1$/\1/p" summary; }

crawl part http://gallery.test/gallery/0 --max-pages 10 --summary text
next=$(next_of "goes on (with --connect-to given again)")
run "$next"
[ "$(figure crawled)" -gt 10 ] || { echo "$next"; cat summary errors; } >problem
verdict "a crawl that has ended at --max-pages goes on, with the flag that the summary says to give again"

page http://127.0.0.1:$web/ "A host that is away" /missing
kill $server && wait $server 2>/dev/null
"$lycosa" crawl "http://127.0.0.1:$web/" --store away --delay 0 --tries 1 --summary text >summary 2>errors
next=$(next_of "tries failed pages again")
store=away
remedy=$(remedy_of "http://127.0.0.1:$web/")
cp -r away away2
serve --pages pages --port "$web"
run "$next"
[ "$(figure crawled)" = 1 ] || { echo "$next"; cat summary errors; } >problem
verdict "failed pages are tried again by what the summary prints"
rm -r away && mv away2 away
run "$remedy"
[ "$(figure crawled)" = 1 ] || { echo "$remedy"; cat summary errors; } >problem
verdict "and by what explain prints"

"$lycosa" crawl --store away --summary text >summary 2>errors
[ -z "$(next_of "tries failed pages again")" ] && [ -z "$(remedy_of "http://127.0.0.1:$web/missing")" ] ||
	{ cat summary; remedy_of "http://127.0.0.1:$web/missing"; } >problem
verdict "for a page that is not there, nothing is promised"
