#!/bin/sh
# Few file descriptors cost no page: a crawl that wants a thousand connections at once has as many as there
# are descriptors for.
. "$(dirname "$0")/../tap.sh"
plan 3

"$lycosa" graph generate --nodes 2000 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls numbered.urls web.txt
sed 's|http://[^/]*|http://one.test|' numbered.urls >web.urls
awk "NR % 10 == 3" web.urls >seeds.txt
serve --graph web.txt --urls web.urls

# crawl NAME LIMIT: the pages crawled, sorted, in NAME.pages
crawl() {
	(
		ulimit -n "$2" || exit 9
		exec "$lycosa" crawl --seeds seeds.txt --store "$1" -H --delay 0 --connect-to "::127.0.0.1:$port" \
			--parallel 1000 --per-host 1000 --no-robots -q
	) >"$1.out" 2>"$1.err" || { echo "$1: status $?"; cat "$1.err"; } >>problem
	"$lycosa" store dump --store "$1" 2>>problem >"$1.pages"
	"$lycosa" store info --store "$1" >"$1.info" 2>>problem
}

crawl plenty "$(ulimit -Hn)"
crawl few 1024
crawl fewest 64
for name in few fewest; do
	cmp plenty.pages $name.pages >>problem
	for count in crawled failed refused tries; do
		[ "$(awk -v c=$count '$1 == c' plenty.info)" = "$(awk -v c=$count '$1 == c' $name.info)" ] ||
			echo "$name: $(awk -v c=$count '$1 == c' $name.info), and with plenty $(awk -v c=$count '$1 == c' plenty.info)" >>problem
	done
	verdict "the same pages with $name descriptors, none tried twice"
done
[ "$(wc -l <plenty.pages)" -gt 1000 ] || wc -l plenty.pages >problem
verdict "which are many"
