#!/bin/sh
# crawl --stop-when: the crawl ends when its next pages are expected to bring little, and the expectation is near the truth.
. "$(dirname "$0")/../tap.sh"
plan 4

"$lycosa" graph generate --nodes 9000 --arcs-per-node 8 --rng-seed 5 web.txt -q
background "$lycosa" serve --graph web.txt >serve.out 2>errors
servers="$servers $!"
wait_for serve.out '^listening on' || cat errors
site=http://$(sed 's/.* //' serve.out)
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
crawl() { "$lycosa" crawl --delay 0 --parallel 1 "$@" "$site/0" 2>errors; }

crawl --store whole -q --order order >whole.out || cat errors >>problem
crawl --store some -v --stop-when 0.1 >some.out || cat errors >>problem
some=$(figure some.out crawled)
[ "$(figure some.out end)" = stop-when ] && [ "$some" -lt "$(figure whole.out crawled)" ] && [ "$some" -ge 2000 ] &&
	awk -v gain="$(figure some.out gain_expected)" 'BEGIN { exit !(gain > 0 && gain < .1) }' || cat some.out errors >>problem
verdict "a crawl ends when 1,000 more pages are expected to bring less than a tenth of the hot mass"
[ "$(grep -c 'more are expected to bring' errors)" -ge 2 ] && ! grep -q gain_expected whole.out || cat errors >>problem
verdict "it looks every 1,000 pages, and two looks in a row decide"

# what the next 1,000 pages have really brought: their PageRank in the whole web against that of as many best pages as were crawled
"$lycosa" rank --graph web.txt --by pagerank --all 2>>problem | grep -v '^[#a-z]' >rank
sort -k2,2gr rank | awk -v n="$some" 'NR <= n { hot += $2 } END { print hot }' >hot
sed 's|.*/||' order | awk -v n="$some" -v hot="$(cat hot)" 'NR == FNR { rank[$1] = $2; next } ++i > n && i <= n + 1000 { mass += rank[$1] } END { print mass / hot }' \
	rank - >truth
awk -v truth="$(cat truth)" -v gain="$(figure some.out gain_expected)" 'BEGIN { r = gain / truth; print r, gain, truth; exit !(r > .4 && r < 2.5) }' >ratio ||
	cat ratio >>problem
verdict "the expectation is near what 1,000 more pages bring"
crawl --store some -q --stop-when 0.0001 >more.out && [ "$(figure more.out end)" = done ] || cat more.out errors >>problem
[ "$(figure more.out crawled)" = "$(figure whole.out crawled)" ] || cat more.out >>problem
verdict "a lower bound goes on"
