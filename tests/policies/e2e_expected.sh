#!/bin/sh
# A crawl of a web with transient and permanent faults gets exactly what a patient reader would: the pages, their contents and
# their PageRank are compared line by line with what `serve --expected` wrote. And the crawl was polite.
. "$(dirname "$0")/../tap.sh"
plan 17

"$lycosa" graph generate --nodes 1200 --arcs-per-node 6 --rng-seed 11 --write-hosts web.hosts web.txt
printf 'User-agent: *\nDisallow: /7\nDisallow: /alias/3\n' >robots.txt
awk '{ print NR - 1 "\thttp://" $0 "/" NR - 1 }' web.hosts >urls.tsv
sed -n '6p;106p;1001p' urls.tsv >seeds.txt
transient=503=0.01:1s,transient-500=0.01,transient-truncate=0.01,transient-drop=0.01
permanent=404=0.005,500=0.005,truncate=0.005,drop=0.005,redirect=0.005
serve --graph web.txt --hosts web.hosts --addresses 8 --log requests.log --robots robots.txt --threads 2 --seeds seeds.txt \
	--expected expected.txt --faults $transient,$permanent,slow=0.01:50ms,gzip=0.3,seed=4
# the hosts share eight addresses
sort -u web.hosts | awk -v port="$port" '{ print "connect-to = " $0 "::127.0.0." 1 + NR % 8 ":" port }' >crawlrc
status 0 "$lycosa" crawl --config crawlrc --seeds seeds.txt --store crawl -H --delay 10ms --per-host 1 -q
result $? "the crawl ends"

awk -F '\t' '{ n[$2]++; r += $4 } END { exit !(r > 1000 && n["robots"] > 50 && n[404] && n[500] && n[302] && n[0]) }' \
	expected.txt 2>problem
result $? "the web has pages of each kind"
awk -F '\t' -v OFS='\t' '$4 && $2 != "robots" { print $1, $2, $3 }' expected.txt >wanted
"$lycosa" store dump --store crawl | awk -F '\t' 'NF == 3' | diff wanted - >problem
result $? "the crawl got the pages of the patient reader, with their contents"
awk -F '\t' '$4 && ($2 != 200 || $3 == "-") && $2 != 302 && $2 != "robots" { print $1 }' expected.txt >wanted
"$lycosa" store dump --store crawl --failed | cut -f 1 | diff wanted - >problem
result $? "and it failed to get the others alone"
[ "$("$lycosa" store info --store crawl | awk -F '\t' '$1 == "refused_robots" { print $2 }')" = \
	"$(awk -F '\t' '$2 == "robots" && $4' expected.txt | wc -l)" ]
result $? "as many are refused for robots.txt"
"$lycosa" rank --graph crawl --by pagerank --all --tol 1e-13 -q | awk -F '\t' '!/^#/ && $3 ~ /^http/ { print $3 "\t" $2 }' | sort >ranks
awk -F '\t' '$4 { print $1 "\t" $5 }' expected.txt | sort >wanted
[ "$(wc -l <ranks)" = "$(wc -l <wanted)" ] && paste ranks wanted |
	awk -F '\t' '$1 != $3 || ($2 - $4) ^ 2 > ($4 * 1e-9) ^ 2 { print; n++ } END { exit n > 0 }' >problem
result $? "each URL that was seen has its true PageRank"
awk -F '\t' '$4 == 0 && ($5 != 0)' expected.txt >problem; cut -f 1 expected.txt | LC_ALL=C sort -c 2>>problem
verdict "what is not reached has none, and the lines are sorted by URL"
awk -F '\t' '$7 == 503 { s++ } $7 == 500 { b++ } $6 == "broken" { c++ } END { exit !(s > 4 && b > 8 && c > 16) }' requests.log &&
	status 0 "$lycosa" audit requests.log --delay 10ms --robots robots.txt
result $? "faults came, and the crawl was polite by every rule"
kill "$server" && wait "$server" 2>/dev/null
says 2 "all pages and links have to be known" "$lycosa" serve --pages . --expected other.txt
result $? "of stored pages nothing is expected"

# --- an endless web, as far as it is finite

# compare WEB FLAG...: crawls the web with these flags, and compares its pages and PageRank with what was expected
compare() {
	web=$1
	shift
	serve --endless "$web" --expected expected.txt "$@"
	first=$(sed -n 's/^the most popular page is //p' server.out)
	depth=
	[ "${1-}" != --max-depth ] || depth="--max-depth $2 --parallel 64"
	rm -rf endless
	# shellcheck disable=SC2086
	"$lycosa" crawl --store endless -H -q --delay 2ms --tries 2 ${depth:---parallel 64} --proxy "http://127.0.0.1:$port" "$first" \
		>crawl.out 2>>problem
	kill "$server" && wait "$server" 2>/dev/null
	awk -F '\t' -v OFS='\t' '$2 != "robots" && $2 != "depth" { print $1, $2, $3 }' expected.txt >wanted
	"$lycosa" store dump --store endless | awk -F '\t' 'NF == 3' | diff wanted - >>problem || return 1
	"$lycosa" rank --graph endless --by pagerank --all --tol 1e-13 -q |
		awk -F '\t' '!/^#/ && $3 ~ /^http/ { print $3 "\t" $2 }' | LC_ALL=C sort >ranks
	cut -f 1,5 expected.txt >wanted
	[ "$(wc -l <ranks)" = "$(wc -l <wanted)" ] && paste ranks wanted |
		awk -F '\t' '$1 != $3 || ($2 - $4) ^ 2 > ($4 * 1e-9) ^ 2 { print; n++ } END { exit n > 0 }' >>problem
}
statuses() { cut -f 2 expected.txt | sort | uniq -c | awk '{ printf "%s%s=%s", n++ ? " " : "", $2, $1 }'; }

compare 6,hosts=30,pages=200,traps=0,rules=0.3 && [ "$(statuses)" = "200=391 301=47 404=43 robots=3" ]
result $? "an endless web of few hosts without traps is finite, and the crawl gets all of it, with its PageRank"
compare 7,hosts=100000,traps=0.1,rules=0 --max-depth 2 && [ "$(statuses)" = "200=6 depth=10" ]
result $? "of any other one what lies two links deep is finite"
compare 3,hosts=300,traps=0,rules=0 --max-depth 5 --faults 404=0.05,500=0.05,seed=2 && statuses | grep -q '200=.*301=.*404=.*500=.*depth='
result $? "with redirects, missing and broken pages"
compare 1,hosts=100,pages=20,traps=0.2,rules=1 --max-depth 1 && [ "$(statuses)" = "200=1 robots=1" ]
result $? "a host whose robots.txt is broken gives nothing"
says 2 "have no end" "$lycosa" serve --endless 7,hosts=10 --expected other.txt
result $? "a web with traps has no end"
says 2 "more than 5000000 hosts" "$lycosa" serve --endless 7,traps=0 --expected other.txt
result $? "nor has one of 134 million hosts"
says 2 "depends on the time" "$lycosa" serve --endless 7,hosts=10,traps=0,changes=3 --expected other.txt
result $? "and what a web has that changes depends on the time"
says 2 "max-depth is for --expected" "$lycosa" serve --endless 7 --max-depth 3
result $? "a depth is of the reader alone"
