#!/bin/sh
# A robots.txt is asked for once a day, however often the crawl is stopped and begun again: the store keeps it.
. "$(dirname "$0")/../tap.sh"
plan 4

"$lycosa" graph generate --nodes 1000 --arcs-per-node 8 --rng-seed 9 --to edges --write-urls web.urls web.txt
head -n 30 web.urls >seeds.txt
forbidden=$(sed -n '31,$s|http://[^/]*/|/|p' web.urls | head -n 1)
printf 'User-agent: *\nDisallow: %s$\n' "$forbidden" >robots.txt
serve --graph web.txt --urls web.urls --robots robots.txt --log requests

# crawl STORE ARGUMENTS
crawl() {
	store=$1
	shift
	"$lycosa" crawl --seeds seeds.txt --store "$store" -H --connect-to "::127.0.0.1:$port" --delay 0 -q "$@" \
		>summary 2>errors || cat errors >>problem
}

# asked: how often the robots.txt of each host was asked for
asked() {
	awk -F '\t' '$5 == "/robots.txt" { print $4 }' requests | sort | uniq -c | sort -rn
}

crawl whole
"$lycosa" store dump --store whole >whole.dump
[ "$(asked | wc -l)" -gt 3 ] || { asked; head -n 3 requests; } >>problem
verdict "a crawl asks several hosts for their robots.txt"

kill "$server" && wait "$server" 2>/dev/null
serve --graph web.txt --urls web.urls --robots robots.txt --log requests.parts
mv requests requests.whole
ln -s requests.parts requests
for i in 100 200 300 400; do
	crawl parts --max-pages $i
done
crawl parts --max-pages 100000
asked | awk '$1 > 1' >>problem
verdict "in five sittings each host is asked once"
"$lycosa" store dump --store parts | diff whole.dump - | head >>problem
verdict "and the pages are those of a crawl in one, those that are forbidden left out"

"$lycosa" store verify --store parts >problem 2>&1 && rm problem
verdict "the store is sound"
