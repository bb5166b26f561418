#!/bin/sh
# Real pages under their own URLs, 8,317 of a university's, led to loopback: whatever the policy, with the trap
# detectors and without, a crawl to the end finds the same pages. One policy; with POLICIES=all each of them, or
# those named. A row for each crawl is printed with POLICIES. And under echo a crawl takes the order of its replay, also when it is killed
# and resumed.
. "$(dirname "$0")/../tap.sh"
shared=$(sed -n 's/^SHARED_DIR = *//p' "$build/Makefile")/data
pages=$shared/uci-ics-2016-html/uci-ics-2016-html.tar.xz
graph=$shared/uci-ics-2016/uci-ics-2016.txt.gz
[ -r "$pages" ] && [ -r "$graph" ] || skip_all "no shared data 'uci-ics-2016-html' (see --with-shared)"
needs xz jq

policies=${POLICIES:-ieca}
if [ "$policies" = all ]; then
	# those that know no more of the web than a crawl does
	policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $1 != "name" && $5 == "" { print $1 }')
fi
# shellcheck disable=SC2086 # words
plan $((2 * $(echo $policies | wc -w) + 6))

mkdir web && xz -dc "$pages" | tar xf - -C web
serve --pages web
# a page of each part that no link leads to from the others
"$lycosa" replay --graph "$graph" --seeds roots --policy bfs --order order >replayed 2>problem
gzip -dc "${graph%.txt.gz}.urls.gz" >urls
head -n "$(sed -n 's/^# seeds_found: //p' replayed)" order |
	awk 'NR == FNR { url[NR - 1] = $0; next } { print url[$1] }' urls - >seeds.txt
[ "$(wc -l <seeds.txt)" -gt 2000 ]
result $? "seeds, a page of each component"

# the server takes a URL for the page that its normal form names
canon() { "$lycosa" parse url canon | sort -u; }
cut -f 2 web/index.tsv | canon >pages

count() { awk -v name="$1" '$1 == name { print $2 }' summary; }

# crawl NAME POLICY ARGUMENTS: to the end; its pages are then in the file `crawled`. No https, which nobody serves here.
crawl() {
	name=$1 policy=$2
	shift 2
	"$lycosa" crawl --seeds seeds.txt --store store -D ics.uci.edu --connect-to "::127.0.0.1:$port" \
		--delay 0 --parallel 16 --per-host 16 --policy "$policy" --total 8317 --no-robots \
		--reject-regex '^https:' --log log.jsonl -q "$@" >summary 2>problem || { cat summary >>problem; return 1; }
	jq -r 'select(.event == "crawled").url' log.jsonl | canon >crawled
	[ -z "${POLICIES:-}" ] ||
		echo "# $name: $(sed -n 's/^\(crawled\|failed\|skipped\|refused_[a-z]*\)	/\1 /p' summary | tr '\n' ' ')" >&2
}

off=
for detector in duplicates mirror session-ids repeats queries depth years past hosts; do
	off="$off --trap-opt $detector=0"
done
# shellcheck disable=SC2086 # words
crawl "bfs without detectors" bfs $off && [ "$(count crawled)" -ge 7000 ]
result $? "a crawl without trap detectors finds at least 7,000 pages"
mv crawled all
rm -rf store log.jsonl

for policy in $policies; do
	crawl "$policy" "$policy" && [ "$(count put_off)" -eq 0 ]
	result $? "$policy crawls real pages under their own URLs, and no page stays deferred"
	{
		"$lycosa" store verify --store store >verified 2>&1 || cat verified
		comm -13 pages crawled | sed 's/^/not a page of it: /'
		diff all crawled
	} >problem
	verdict "$policy: its pages are those of a crawl without trap detectors, and its store is sound"
	rm -rf store log.jsonl
done

# --- 300 seeds from everywhere, in the form in which the store has them, and one page at a time
cut -f 2 web/index.tsv | grep '^http:' | awk 'NR % 27 == 1' | "$lycosa" parse url canon >seeds
# echo_crawl STORE PAGES [COMMAND...]: a crawl under echo, by way of the command
echo_crawl() {
	name=$1 most=$2
	shift 2
	# shellcheck disable=SC2086 # words
	"$@" "$lycosa" crawl --seeds seeds --store "$name" -D ics.uci.edu --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
		--policy echo --batch 100 --total 8317 --max-pages "$most" --host-share 1 --no-robots --reject-regex '^https:' $off \
		--order "$name.order" --log "$name.log" -q >"$name.out" 2>problem
}
echo_crawl whole 1500 && [ "$(wc -l <whole.order)" = 1500 ]
result $? "a real site is crawled under echo"
"$lycosa" rank --graph whole --by indegree --all 2>>problem | awk -F '\t' '!/^#/ && $1 != "id" { print $1 "\t" $3 }' >named
"$lycosa" replay --graph whole --seeds seeds --policy echo --batch 100 --total 8317 --order ids -q >/dev/null 2>>problem &&
	awk -F '\t' 'NR == FNR { url[$1] = $2; next } FNR <= 1500 { print url[$1] }' named ids | diff whole.order - >>problem
result $? "its replay takes the same order"
kills=0
for n in 60 310 390 290; do
	echo_crawl broken 1500 killed_at $n && kills=$((kills + 1))
done
echo_crawl broken 1500 && [ $kills = 4 ] && diff whole.order broken.order >problem
result $? "killed $kills times and resumed, the crawl takes the same order"
"$lycosa" store verify --store broken >problem 2>&1
result $? "and its store is sound"
