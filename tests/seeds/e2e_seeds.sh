#!/bin/sh
# From a graph or a store to seeds, and from seeds to the next crawl.
. "$(dirname "$0")/../tap.sh"
plan 21

"$lycosa" graph generate --nodes 3000 --arcs-per-node 6 --rng-seed 7 --to edges \
	--write-urls web.urls web.txt
methods=$("$lycosa" list methods | awk -F '\t' '!/^#/ && $1 != "name" { print $1 }')
# shellcheck disable=SC2086 # words
[ $(echo $methods | wc -w) -ge 8 ] || echo "few methods: $methods" >>problem

for method in $methods; do
	status 0 "$lycosa" seeds --graph web.txt --method "$method" --count 10 &&
		[ "$(grep -vc '^#' results)" -eq 10 ] &&
		grep -v '^#' results | awk -F '\t' 'NR == FNR { url[NR - 1] = $0; next }
			url[$1] != $2 { exit 1 }' web.urls - || echo "$method" >>problem
	for threads in 2 5; do
		"$lycosa" seeds --graph web.txt --method "$method" --count 10 --threads $threads |
			cmp - results >>problem 2>&1
	done
done
[ ! -s problem ]
result $? "every method prints ids and URLs, the same for any number of threads"

for method in $methods; do
	"$lycosa" seeds --graph web.txt --method "$method" --count 4 >seeds 2>>problem
	"$lycosa" replay --graph web.txt --seeds - --policy bfs --order order.txt <seeds >/dev/null 2>>problem
	grep -v '^#' seeds | cut -f 1 >ids
	[ "$(wc -l <ids)" -eq 4 ] || echo "$method: few seeds" >>problem
	head -n 4 order.txt | cmp - ids >>problem 2>&1
done
[ ! -s problem ]
result $? "a replay starts from the seeds, in their order"

status 0 "$lycosa" seeds --graph web.txt --method hits --count 5 --cores cores.jsonl
if command -v jq >/dev/null; then
	[ "$(jq -r .core cores.jsonl | tr '\n' ' ')" = "1 2 3 4 5 " ] &&
		jq -r .seed cores.jsonl >core.seeds && grep -v '^#' results | cut -f 1 | cmp - core.seeds &&
		[ "$(jq '.seed as $s | .hubs | index($s)' cores.jsonl | grep -vc null)" -eq 5 ] &&
		[ "$(jq -r '(.hubs + .authorities)[]' cores.jsonl | sort | uniq -d | wc -l)" -eq 0 ]
	result $? "each core is a line of JSON with its seed among its hubs"
else
	skip "each core is a line of JSON with its seed among its hubs" "no jq"
fi

printf '0\t1\n0\t2\n1\t3\n' >hosts.txt
printf 'a\na\na\na\n' >one.hosts
status 19 "$lycosa" seeds --graph hosts.txt --hosts one.hosts --method hits --count 3 &&
	[ "$(wc -l <errors)" -eq 1 ] && grep -q 'no link leads from one host to another' errors &&
	[ ! -s results ]
result $? "without links between hosts it ends in one line and status 19"

status 2 "$lycosa" seeds --graph hosts.txt --method hits --count 3 &&
	[ "$(wc -l <errors)" -eq 1 ] && grep -q -e '--hosts' errors &&
	status 0 "$lycosa" seeds --graph hosts.txt --method hits --count 1 --method-opt site=page
result $? "without hosts it says what to give"

status 0 "$lycosa" seeds --graph hosts.txt --method random --count 9 &&
	grep -q '4 seeds found, 9 were asked for' errors && [ "$(grep -vc '^#' results)" -eq 4 ]
result $? "fewer seeds than asked for is a warning"

printf '# Nodes: 1 Edges: 0\n' >one.txt
for method in $methods; do
	wanted=0
	[ "$method" = hits ] && wanted=19
	echo a >one.hosts
	status $wanted "$lycosa" seeds --graph one.txt --hosts one.hosts --method "$method" --count 1 ||
		echo "$method" >>failed
done
[ ! -s failed ]
result $? "a graph of one page has one seed, or none"

status 2 "$lycosa" seeds --graph web.txt --method hist --count 1 && grep -q "'hits'" errors &&
	status 2 "$lycosa" seeds --graph web.txt --method hits --count 1 --method-opt dnsity=3 &&
	grep -q "'density'" errors &&
	status 2 "$lycosa" seeds --graph web.txt --method hits --count 1 --method-opt density=101 &&
	status 2 "$lycosa" seeds --graph web.txt --method random --count 1 --method-opt hops=-1 &&
	status 0 "$lycosa" seeds --graph web.txt --method random --count 1 --method-opt hops=2 &&
	grep -q "no use for 'hops=2'" errors &&
	status 2 "$lycosa" seeds --graph web.txt --method random --count 1 --cores c &&
	status 2 "$lycosa" seeds --method random --count 1 &&
	status 2 "$lycosa" seeds --graph web.txt --store web.txt --method random --count 1 &&
	status 3 "$lycosa" seeds --store web.txt --method random --count 1
result $? "what is wrong is told, with what is near"

printf 'a.example.org\nb.example.org\nexample.org\nc.example.org\n' >sub.hosts
status 0 "$lycosa" seeds --graph hosts.txt --hosts sub.hosts --method hits --count 1 &&
	status 19 "$lycosa" seeds --graph hosts.txt --hosts sub.hosts --method hits --count 1 \
		--method-opt site=domain
result $? "sites are hosts, or domains"

printf '5\t3.5\n7\t-2\n' >values.txt
printf '5\n7\n' >ids
status 0 "$lycosa" coverage --graph web.txt --seeds ids --hops 0 --values values.txt &&
	grep -qx 'pages	2' results && grep -qx 'value	1.5' results && grep -qx 'pages_in_all	3000' results &&
	status 3 "$lycosa" coverage --graph web.txt --seeds ids --hops 0 --values ids &&
	grep -q 'ids:1: not of the form' errors
result $? "coverage counts pages and values"

# crawl, seeds, crawl again
serve --graph web.txt
crawl="--policy bfs -H --connect-to ::127.0.0.1:$port --delay 0 --parallel 1"
"$lycosa" crawl "$(sed -n 1p web.urls)" "$(sed -n 9p web.urls)" --store old $crawl --max-pages 400 >/dev/null 2>problem &&
	"$lycosa" seeds --store old --method hits --count 5 >seeds 2>>problem &&
	"$lycosa" crawl --seeds - --store new $crawl --max-pages 50 --order order <seeds >/dev/null 2>>problem &&
	grep -v '^#' seeds | cut -f 2 >urls && [ "$(wc -l <urls)" -eq 5 ] && head -n 5 order | cmp - urls
result $? "seeds of a store start the next crawl"

"$lycosa" seeds --store old --method maxweight --count 5 | "$lycosa" coverage --graph old --seeds - --hops 5 >results 2>problem &&
	grep -q '^seeds	5$' results
result $? "and its coverage is told"

# pages that were not fetched are no seeds: page 3 is a 404, and page 5 forbidden
printf '0\t1\n0\t2\n0\t3\n0\t5\n1\t4\n1\t6\n4\t0\n' >few.txt
printf '<a href="/1">1</a> <a href="/gone">g</a> <a href="/no/x">x</a> <a href="/2">2</a>\n' >0.html
printf '<a href="/3">3</a>\n' >1.html
printf '0.html\thttp://site.test/\n1.html\thttp://site.test/1\nrobots\thttp://site.test/robots.txt\n' >index.tsv
printf 'User-agent: *\nDisallow: /no/\n' >robots
serve --pages .
"$lycosa" crawl http://site.test/ --store failed --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
	--max-pages 3 >/dev/null 2>problem
status 0 "$lycosa" seeds --store failed --method random --count 20 &&
	grep -q 'of the store were not fetched, so none of them is chosen as a seed' errors &&
	! grep -v '^#' results | grep -q -e /gone -e /no/x && grep -q 'http://site.test/1' results
result $? "pages of a store that were not fetched are no seeds"

# the front page alone is crawled, and links to four others
"$lycosa" crawl http://site.test/ --store front --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
	--max-pages 1 >/dev/null 2>problem
"$lycosa" coverage --graph front --seeds roots --hops 9 --p-unique 0.5 >results 2>>problem &&
	cat results >>problem &&
	[ "$(awk '$1 == "value" { v = $2 } $1 == "pages" { p = $2 } END { print v - p }' results)" = 2 ] &&
	status 2 "$lycosa" coverage --graph web.txt --seeds roots --hops 1 --p-unique 0.5 &&
	grep -q 'page-attrs' errors
result $? "a store knows how many links are uncrawled, a graph does not"

printf '5\t1\t0\t3\n7\t0\t1\t0\n' >attrs.txt
status 0 "$lycosa" coverage --graph web.txt --seeds ids --hops 0 --page-attrs attrs.txt --p-unique 0.5 &&
	grep -qx 'value	1.5' results &&
	status 2 "$lycosa" coverage --graph web.txt --seeds ids --hops 0 --values values.txt --page-attrs attrs.txt &&
	status 3 "$lycosa" coverage --graph web.txt --seeds ids --hops 0 --page-attrs values.txt &&
	grep -q 'values.txt:1: not of the form' errors &&
	"$lycosa" seeds --graph web.txt --method maxweight --count 9 --page-attrs attrs.txt --p-unique 0.5 2>>problem |
		grep -v '^#' >flags &&
	"$lycosa" seeds --graph web.txt --method maxweight --count 9 --method-opt page-attrs=attrs.txt \
		--method-opt p-unique=0.5 2>>problem | grep -v '^#' | cmp - flags
result $? "page attributes say what pages are worth, by flags or options of the method"

# an old graph and a new one, in which every third page has another URL
awk '{ sub("http://", NR % 3 ? "http://" : "https://"); print }' web.urls >next.urls
cp web.txt next.txt
status 0 "$lycosa" seeds --graph web.txt --method hits --count 10 --into next.txt &&
	[ "$(grep -vc '^#' results)" -eq 10 ] && grep -q '	3-variant	' results &&
	grep -v '^#' results | awk -F '\t' '($3 != "2-core-hub" && $1 != $4) || ($3 == "1-exact") != ($2 == $5) { exit 1 }' &&
	"$lycosa" replay --graph next.txt --seeds results --policy bfs >/dev/null 2>>problem &&
	status 0 "$lycosa" seeds --graph web.txt --method hits --count 10 --lost drop --into next.txt &&
	[ "$(grep -c '	1-exact	' results)" -eq 10 ] && grep -q '^#lost	[0-9]' results &&
	grep -q 'seeds are lost' errors
result $? "seeds of an old graph are pages of a new one, by the rule named, until there are enough"

printf 'http://elsewhere.test/\n' >far.urls
printf '# Nodes: 1 Edges: 0\n' >far.txt
status 19 "$lycosa" seeds --graph web.txt --method random --count 3 --into far.txt &&
	[ "$(wc -l <errors)" -eq 1 ] && grep -q 'none of 3000 seeds' errors &&
	status 2 "$lycosa" seeds --graph web.txt --method random --count 3 --into hosts.txt &&
	grep -q 'URLs' errors &&
	status 2 "$lycosa" seeds --graph web.txt --method random --count 3 --into next.txt --per-site host &&
	status 2 "$lycosa" seeds --graph hosts.txt --method random --count 3 --candidates &&
	status 0 "$lycosa" seeds --graph web.txt --method outdegree --count 2 --candidates &&
	[ "$(grep -c '	1-exact$' results)" -eq 2 ] && grep -q '	5-root$' results
result $? "a new graph with none of them is status 19; without one there are candidates"

status 0 "$lycosa" seeds --graph web.txt --method hits --count 6 --draws 3 --out cores.out --threads 1 &&
	cp -r cores.out again.out &&
	status 0 "$lycosa" seeds --graph web.txt --method hits --count 6 --draws 3 --out again.out --threads 3 &&
	for file in results.tsv results.json report.html manifest.json; do
		cmp cores.out/$file again.out/$file >>problem 2>&1 || break
	done && [ ! -s problem ] && grep -q '^#claims	claim' cores.out/results.tsv &&
	status 0 "$lycosa" study cores.out/manifest.json --out once.more && diff -r cores.out once.more >problem &&
	sed 's/"fingerprint": "./"fingerprint": "x/' cores.out/manifest.json >other.json &&
	status 2 "$lycosa" study other.json --out once.more && grep -q 'the graph is another' errors &&
	status 2 "$lycosa" study cores.out/manifest.json && grep -q 'out DIR is needed' errors &&
	[ "$(grep -c '^#distances	[1-6]	[1-6]' cores.out/results.tsv)" -eq 36 ] &&
	status 0 "$lycosa" seeds --graph web.txt --method maxout --count 6 --draws 2 --into next.txt --out other.out &&
	! grep -q '^#distances' other.out/results.tsv
result $? "an evaluation of seeds is a folder, the same for any number of threads"

status 0 "$lycosa" coverage --graph web.txt --draws 2 --out coverage.out --threads 1 &&
	cp -r coverage.out again.out/coverage &&
	status 0 "$lycosa" coverage --graph web.txt --draws 2 --out coverage.out --threads 4 &&
	cmp coverage.out/results.tsv again.out/coverage/results.tsv &&
	grep -q '^#claims	claim' coverage.out/results.tsv &&
	grep -q '^#kinds	bfs	hits' coverage.out/results.tsv &&
	status 0 "$lycosa" coverage --graph hosts.txt --draws 2 --out small.out &&
	status 0 "$lycosa" coverage --made-sites 3 --draws 2 --out made.out && [ -s made.out/value-by-hops.svg ] &&
	grep -q '^#coverage	rootscc' made.out/results.tsv &&
	status 0 "$lycosa" study made.out/manifest.json --out made.again && diff -r made.out made.again >problem &&
	status 0 "$lycosa" study coverage.out/manifest.json --out coverage.again && diff -r coverage.out coverage.again >problem &&
	status 2 "$lycosa" coverage --made-sites 3 &&
	status 2 "$lycosa" coverage --graph web.txt --out x --seeds roots &&
	status 2 "$lycosa" coverage --graph web.txt --seeds roots
result $? "all strategies are compared in a folder, on a graph or on generated sites"

# --- a crawl that renews the seeds of the next one
serve --graph web.txt --urls web.urls
site=$(head -n 1 web.urls)
crawl() { "$lycosa" crawl "$@" -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel-per-host 8 --progress none; }
echo mine >next.99999999.part # which is nobody's but the user's
crawl "$site" --store grown --max-pages 1500 --seeds-out next --seeds-every 200 -v >out 2>talk || cat talk >>problem
{
	[ "$(cat next.99999999.part)" = mine ] && rm next.99999999.part || echo "a file of the user is gone"
	[ "$(grep -c "'next' has the seeds of the pages so far" talk)" -ge 2 ] || grep seeds talk
	"$lycosa" seeds --store grown --method hits --count 100 -q | cmp - next
	[ "$(grep -vc '^#' next)" -ge 10 ] || cat next
	rm next
	# visits of known pages count, too
	crawl --store grown --refresh --seeds-out next >out 2>talk || cat talk
	"$lycosa" seeds --store grown --method hits --count 100 -q | cmp - next
	# the file of a sitting that is broken off is the one from before
	echo earlier >next
	background "$lycosa" crawl --store grown --refresh --forever -H --connect-to "::127.0.0.1:$port" --delay 0 --seeds-out next --seeds-every 100000 -q >out 2>talk
	pid=$!
	servers="$servers $pid"
	is_writer() { [ "$(cat grown/writer 2>/dev/null)" = $pid ]; }
	wait_until $pid is_writer
	kill -INT $pid
	wait $pid
	[ "$(cat next)" = earlier ] || head -n 3 next
	ls next.*.part 2>/dev/null
} >>problem 2>&1
verdict "a crawl renews the file with the seeds of the next one"
says 2 "name their file with --seeds-out FILE" "$lycosa" crawl http://127.0.0.1:9/ --store none --seeds-every 5 &&
	says 2 "need a file" "$lycosa" crawl http://127.0.0.1:9/ --store none --seeds-out - && [ ! -e none ]
result $? "and wants to know which file"
