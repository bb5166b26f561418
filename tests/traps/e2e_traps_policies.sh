#!/bin/sh
# Sites with traps breadth first, and sites without a trap of which many pages are alike under several policies.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/traps/trap_crawls.sh"
plan $((rows + 1 + 4 * 11 + 1))

store=bfs
crawl --seeds seeds -D test $small --trap-opt mirror=4 --policy bfs --parallel 1
judge "breadth first"

# sites without a trap, many pages of which are alike; nothing of them is lost under any policy. What is fetched in
# vain is at most what is alike
mv table all.table
cat >table <<'END'
sessions.test 150 30
bilingual.test 160 85
versions.test 141 160
events.test 19 665
catalogue.test 470 4
twins.test 160 85
printed.test 165 151
archive.test 231 133
moved.test 100 400
nested.test 3 40
END
sed 's|\([^ ]*\) .*|http://\1/|' table >twins
for policy in bfs opic ieca partial-pagerank; do
	store=twins-$policy
	crawl --seeds twins -D test $small --policy $policy --total 4000
	judge "$policy"
done
mv all.table table

ended_well
