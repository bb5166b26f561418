#!/bin/sh
# The endless web (serve --endless), crawled live: politely, by the log; the same in every run; its changes are seen by a later crawl.
. "$(dirname "$0")/../tap.sh"
plan 11

# crawl STORE FLAGS...: a crawl of the web that is served, from its most popular page
crawl() {
	store=$1
	shift
	"$lycosa" crawl --store "$store" -H --proxy "http://127.0.0.1:$port" --max-pages 600 -q "$@" \
		"$(sed -n 's/^the most popular page is //p' server.out)" >"$store.out" 2>"$store.err" || { cat "$store.err" >>problem; return 1; }
}

web=7,hosts=400,rules=0.4,outside=0.5
serve --endless $web --log requests.log --threads 2
crawl polite --delay 20ms --parallel 64 && [ "$(awk '$1 == "crawled" { print $2 }' polite.out)" = 600 ]
result $? "600 pages of a web without end are crawled"
status 0 "$lycosa" audit requests.log --delay 20ms --endless $web --behind-proxy &&
	awk -F '\t' '$1 == "robots-obeyed" && $2 > 500 { o = 1 } $1 == "host-delay" && $2 > 300 { d = 1 } END { exit !(o && d) }' results
result $? "the crawl keeps every rule, with a robots.txt of its own for each host"
status 1 "$lycosa" audit requests.log --delay 20ms --endless $web && grep -q 'address-delay' errors
result $? "addresses are judged unless the crawler was behind a proxy"
says 2 "where each host has a robots.txt of its own" "$lycosa" audit requests.log --endless 7 --robots requests.log
result $? "one robots.txt for all hosts is refused"
awk -F '\t' '{ n[$7]++ } $5 ~ /sitemap/ { s++ } END { exit !(n[200] > 600 && n[301] > 3 && n[404] > 20 && n[500]) }' requests.log
result $? "there are pages, redirects, dead links and broken robots.txt"

kill "$server" && wait "$server" 2>/dev/null

# without a Crawl-delay, whose end comes sooner or later in the order
serve --endless 7,hosts=400,rules=0,outside=0.5
crawl one --delay 0 --parallel 1 --order one.order --max-per-host 30
kill "$server" && wait "$server" 2>/dev/null
serve --endless 7,hosts=400,rules=0,outside=0.5
crawl two --delay 0 --parallel 1 --order two.order --max-per-host 30
[ "$(wc -l <one.order)" = 600 ] && cmp one.order two.order >>problem &&
	"$lycosa" store dump --store one >one.dump && "$lycosa" store dump --store two | cmp one.dump - >>problem
result $? "another run of server and crawler gets the same pages, links and bytes in the same order"
kill "$server" && wait "$server" 2>/dev/null

# without what a graph leaves out, the crawl and the graph are the same
plain=9,hosts=300,traps=0,rules=0,dead=0,moved=0,outside=0.4
serve --endless $plain
crawl same --delay 0 --parallel 1 --policy bfs --order same.order
"$lycosa" graph generate --endless $plain --nodes 600 --write-urls part.urls --write-hosts part.hosts part.txt 2>>problem &&
	cmp same.order part.urls >>problem && [ "$(sort -u part.hosts | wc -l)" -gt 100 ]
result $? "graph generate --endless has the pages in the order of a breadth-first crawl"
"$lycosa" store dump --store same | awk -F '\t' 'NF == 2' >links
awk 'NR == FNR { url[FNR - 1] = $0; next } !/^#/ { print url[$1] "\t" url[$2] }' part.urls part.txt >arcs
awk 'NR == FNR { is[$0] = 1; next } is[$1] && is[$2]' part.urls links | LC_ALL=C sort >want
LC_ALL=C sort arcs | cmp want - >>problem && [ "$(wc -l <want)" -gt 600 ]
result $? "and the links between them"
kill "$server" && wait "$server" 2>/dev/null

serve --endless $web,changes=200 --log requests.log
crawl early --delay 0 --parallel 1
crawl late --delay 0 --parallel 1 --previous early
awk -F '\t' '$7 == 304 { same++ } $7 == 200 { ok++ } END { exit !(same > 300 && ok > 600) }' requests.log
result $? "a crawl soon after asks for what has changed alone"
kill "$server" && wait "$server" 2>/dev/null
says 2 "a whole number, not 'x'" "$lycosa" serve --endless x
result $? "a bad seed is told"
says 2 "an endless web has redirects of its own" "$lycosa" serve --endless 7 --faults redirect=0.1
result $? "and so is a fault that it cannot have"
