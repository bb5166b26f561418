#!/bin/sh
# From a graph or a store to seeds, and from seeds to the next crawl.
. "$(dirname "$0")/tap.sh"
plan 12

# status WANTED COMMAND...: its results in `results`, its talk in `errors`
status() {
	wanted=$1
	shift
	"$@" >results 2>errors
	got=$?
	[ $got -eq "$wanted" ] && return 0
	{ echo "status $got, not $wanted: $*"; cat errors; } >problem
	return 1
}

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
