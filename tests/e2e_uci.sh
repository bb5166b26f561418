#!/bin/sh
# Real pages under their own URLs, 8,317 of a university's, led to loopback: whatever the policy, the
# same pages are found. Three policies within a budget; with POLICIES=all each of them, to the end
# (a minute each), and then a row a policy is printed.
. "$(dirname "$0")/tap.sh"
shared=$(sed -n 's/^SHARED_DIR = *//p' "$build/Makefile")/data
pages=$shared/uci-ics-2016-html/uci-ics-2016-html.tar.xz
graph=$shared/uci-ics-2016/uci-ics-2016.txt.gz
[ -r "$pages" ] && [ -r "$graph" ] || skip_all "no shared data 'uci-ics-2016-html' (see --with-shared)"
needs xz jq

policies="bfs ieca opic"
budget="--max-pages 300"
if [ "${POLICIES:-}" = all ]; then
	budget=
	# those that know no more of the web than a crawl does
	policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $1 != "name" && $5 == "" { print $1 }')
fi
# shellcheck disable=SC2086 # words
plan $((2 * $(echo $policies | wc -w) + 1))

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

first=
for policy in $policies; do
	# shellcheck disable=SC2086 # words
	"$lycosa" crawl --seeds seeds.txt --store "$policy" -D ics.uci.edu --connect-to "::127.0.0.1:$port" \
		--delay 0 --parallel 16 --per-host 16 --policy "$policy" --total 8317 --no-robots $budget \
		--log "$policy.jsonl" --rejected rejected -q >summary 2>problem
	status=$?
	[ $status = 0 ] && [ "$(count crawled)" -ge 300 ]
	result $? "$policy crawls real pages under their own URLs"
	{
		"$lycosa" store verify --store "$policy" >verified 2>&1 || cat verified
		jq -r 'select(.event == "crawled").url' "$policy.jsonl" | canon >crawled
		comm -13 pages crawled | sed 's/^/not a page of it: /'
		if [ -z "$budget" ]; then
			[ -n "$first" ] || { first=$policy; cp crawled "$first.crawled"; }
			diff "$first.crawled" crawled
			[ "$(count crawled)" -ge 7000 ] || cat summary
			echo "# $policy: $(sed -n 's/^\(crawled\|failed\|refused_[a-z]*\)	/\1 /p' summary | tr '\n' ' ')" >&2
		fi
	} >problem
	verdict "$policy: what it has are pages of that web, and its store is sound"
	rm -rf "$policy" "$policy.jsonl"
done
