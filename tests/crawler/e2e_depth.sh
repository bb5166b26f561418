#!/bin/sh
# --max-depth: the pages that lie so many links from the seed, in whatever order a policy takes them, by a second method; with redirects;
# and the same order where the crawl is broken off and resumed, with the snapshot of its frontier and without.
. "$(dirname "$0")/../tap.sh"
needs python3
plan 6
policies="bfs echo opic ieca backlink-count random"

cat >within.py <<'PY'
import sys
urls, depth, start = open(sys.argv[1]).read().split(), int(sys.argv[3]), int(sys.argv[4])
links = {}
for line in open(sys.argv[2]):
    if line[0] != "#":
        a, b = map(int, line.split()[:2])
        links.setdefault(a, []).append(b)
level, seen = {start}, {start}
for _ in range(depth):
    level = {b for a in level for b in links.get(a, ())} - seen
    seen |= level
print("\n".join(sorted(urls[i] for i in seen)))
PY
# crawl STORE ARGUMENTS
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$(sed -n $((start + 1))p web.urls)" --store "$store" -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --tries 1 "${talk:--q}" "$@" >summary 2>>problem
}
dump_of() { "$lycosa" store dump --store "$1" | awk -F '\t' 'NF == 3 && $2 == 200 { print $1 }' | LC_ALL=C sort; }

known=
for policy in $policies; do
	"$lycosa" list policies | grep -q "^$policy	" && known="$known $policy"
done
for seed in 1 2 3; do
	"$lycosa" graph generate -q --nodes 600 --arcs-per-node 2 --rng-seed $seed --to edges --write-urls web.urls web.txt
	# the page with most links
	start=$(awk '!/^#/ { n[$1]++ } END { for (i in n) print n[i], i }' web.txt | sort -k 1,1nr -k 2,2n | sed -n '1s/.* //p')
	serve --graph web.txt --urls web.urls
	for depth in 3 6 9; do
		python3 within.py web.urls web.txt $depth $start | LC_ALL=C sort >want
		for policy in $known; do
			rm -rf one
			crawl one --policy $policy --max-depth $depth
			dump_of one | diff want - >differ || echo "seed $seed, $policy, depth $depth: $(grep -c '^<' differ) lost, $(grep -c '^>' differ) too many of $(wc -l <want)" >>problem
		done
	done
	kill "$server" && wait "$server" 2>/dev/null
done
[ "$(echo "$known" | wc -w)" -ge 5 ] || echo "few policies: $known" >>problem
[ "$(wc -l <want)" -gt 100 ] || echo "few pages: $(wc -l <want)" >>problem
verdict "a crawl to a depth has all pages of the depth, in any order"

serve --graph web.txt --urls web.urls --faults redirect=0.2,404=0.05
for policy in $known; do
	rm -rf one
	crawl one --policy $policy --max-depth 6
	dump_of one >$policy.pages
	"$lycosa" store verify --store one >verified 2>&1 || cat verified >>problem
	diff bfs.pages $policy.pages >differ || echo "$policy: $(grep -c '^<' differ) lost, $(grep -c '^>' differ) too many of $(wc -l <bfs.pages)" >>problem
done
verdict "also where redirects lead to pages"

for policy in $known; do
	rm -rf one two three
	crawl one --policy $policy --batch 25 --total 100 --max-depth 6 --order one.order
	for pages in 20 55 90 140 100000; do
		crawl two --policy $policy --batch 25 --total 100 --max-depth 6 --max-pages $pages --order two.order
		crawl three --policy $policy --batch 25 --total 100 --max-depth 6 --max-pages $pages --order three.order
		rm -f three/frontier
	done
	cmp one.order two.order >differ 2>&1 && cmp one.order three.order >differ 2>&1 || { echo "$policy:"; cat differ; } >>problem
done
verdict "a crawl that is resumed goes on alike, with the snapshot of its frontier and without"

# a page far from the seed by its first way, near by its second: what lies behind it comes, and the store tells why
rm -rf one && crawl one --policy echo --max-depth 6
"$lycosa" store info --store one | grep -q '^refused_depth	[1-9]' && [ "$("$lycosa" export --store one --pages --state refused | grep -c ',depth,')" -gt 0 ]
result $? "pages beyond the depth are refused for it"
crawl one --rescope --max-depth 7 && dump_of one >deeper && [ "$(LC_ALL=C comm -13 deeper echo.pages | wc -l)" = 0 ] && [ "$(wc -l <deeper)" -gt "$(wc -l <echo.pages)" ]
result $? "a greater depth later admits more"

# without a limit nobody follows the shorter ways; so a limit that comes later needs the whole log
kill "$server" && wait "$server" 2>/dev/null
"$lycosa" graph generate -q --nodes 2000 --arcs-per-node 4 --rng-seed 2 --to edges --write-urls web.urls web.txt
start=$(awk '!/^#/ { n[$1]++ } END { for (i in n) print n[i], i }' web.txt | sort -k 1,1nr -k 2,2n | sed -n '1s/.* //p')
serve --graph web.txt --urls web.urls
rm -rf one two
for store in one two; do crawl $store --policy random --max-pages 120; done
rm two/frontier
talk=-v
for store in one two; do
	crawl $store --rescope --max-depth 4 --order $store.order
	cp problem $store.talk && : >problem
done
grep -q 'the frontier is that of its snapshot' one.talk || { echo "no snapshot"; cat one.talk; } >>problem
grep 'known of pages and traps is that of the snapshot' one.talk >>problem
cmp one.order two.order >>problem 2>&1
verdict "a limit of the depth that comes later finds the pages of the depth, with the snapshot of a crawl without one, too"
