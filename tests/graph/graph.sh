#!/bin/sh
# `lycosa graph` from outside: what the data sets there are hold, bounded memory, other orders.
. "$(dirname "$0")/../tap.sh"
shared=$(sed -n 's/^SHARED_DIR = *//p' "$build/Makefile")

# name, nodes, arcs, hosts ('-': not known), the graph, and how its URLs are made ('-': beside it or
# in it, '=': that file)
data() {
	cat <<'END'
cnr-2000 325557 3216152 - cnr-2000/cnr-2000 -
cnr-2000, transposed 325557 3216152 - cnr-2000/cnr-2000-t -
cnr-2000 of Java 325557 3216152 - cnr-2000-java/cnr-2000 -
cs-stanford, BVGraph 9914 36854 - cs-stanford/wb-cs.stanford -
cs-stanford, edges 9914 36854 21 cs-stanford/cs-stanford.txt.gz -
uic-2021 7751 98267 208 uic-2021/uic-2021.txt.gz -
uci-ics-2016 8317 42698 55 uci-ics-2016/uci-ics-2016.txt.gz -
uci-ics-2016-full 45142 126185 4764 uci-ics-2016-full/uci-ics-2016-full.txt.gz -
hollins 6012 23875 4 hollins/hollins.dat = hollins/links.dat
california 9664 16150 5834 california/gr0.California -
toronto-Movies 7967 28814 3380 toronto-Movies/adj_list NR%5==4{print$1} toronto-Movies/nodes
walk-hosts-old 38269 62783 38269 walk-hosts-old/walk-hosts-old.txt.gz -
walk-hosts-new 45687 76031 45687 walk-hosts-new/walk-hosts-new.txt.gz -
canpol 2800 3644 2800 canpol/sitelinks-fixed-May13.txt -
END
}
plan $(($(data | wc -l) + 24))

# info_of NODES ARCS HOSTS FLAG...
info_of() {
	printf 'nodes\t%s\narcs\t%s\n' "$1" "$2" >want
	[ "$3" = - ] || printf 'hosts\t%s\n' "$3" >>want
	shift 3
	"$lycosa" graph info "$@" 2>errors | grep -E '^(nodes|arcs|hosts)	' >got
	diff want got >problem 2>&1 && return 0
	cat errors >>problem
	return 1
}

data >table
while read -r line; do
	name=${line%% [0-9][0-9][0-9][0-9]*}
	# shellcheck disable=SC2086 # words
	set -- ${line#"$name" }
	if [ -z "$shared" ] || [ ! -d "$shared/data/${4%%/*}" ]; then
		skip "$name has its known size" "no shared data ${4%%/*}"
	elif [ "$5" = - ]; then
		info_of "$1" "$2" "$3" --graph "$shared/data/$4"
		result $? "$name has its known size"
	elif [ "$5" = = ]; then
		info_of "$1" "$2" "$3" --graph "$shared/data/$4" --urls "$shared/data/$6"
		result $? "$name has its known size"
	else
		awk "$5" "$shared/data/$6" >made.urls
		info_of "$1" "$2" "$3" --graph "$shared/data/$4" --urls made.urls
		result $? "$name has its known size"
	fi
done <table

"$lycosa" graph generate --nodes 20000 --write-urls web.urls --write-hosts web.hosts web.txt &&
	"$lycosa" graph generate --nodes 20000 --memory 64K again.txt && cmp web.txt again.txt >problem
result $? "a graph is generated in any memory"

for to in edges csr bvgraph mtx asciigraph; do
	for verb in convert transpose "prune --within host" "relabel --sort url" "subgraph --select random:0.4"; do
		# shellcheck disable=SC2086 # words
		"$lycosa" graph $verb --graph web.txt --to $to -q roomy.out &&
			"$lycosa" graph $verb --graph web.txt --to $to -q --memory 64K tight.out || echo "$verb $to"
		for file in roomy.out*; do
			cmp "$file" "tight.out${file#roomy.out}"
		done
		rm -f roomy.out* tight.out*
	done
done >problem 2>&1
[ ! -s problem ]
result $? "a bound of the memory changes no byte"

ls >before
mkdir empty
(cd empty && TMPDIR=/nowhere "$lycosa" graph convert --graph ../web.txt --memory 64K out.txt) 2>errors
[ $? -eq 3 ] && [ "$(wc -l <errors)" -eq 1 ] && [ -z "$(ls empty)" ] &&
	grep -q "^lycosa: cannot make a temporary file in '/nowhere': " errors
result $? "no place for temporary files is status 3, in one line"

# of 200 blocks: the graph's arcs need more, the text less
(ulimit -f 50 && trap '' XFSZ && cd empty &&
	"$lycosa" graph convert --graph ../web.txt --memory 64K --to csr out.csr) 2>errors
[ $? -eq 3 ] && [ "$(wc -l <errors)" -eq 1 ] && [ -z "$(ls -A empty)" ] &&
	grep -q "^lycosa: cannot write a temporary file in '.': " errors
result $? "a full disk is status 3, in one line, and leaves nothing"

"$lycosa" graph relabel --graph web.txt --seeds random:3 --write-ids ids --write-urls new.urls new.txt &&
	awk '{ print NR - 1, $1 }' ids | sort -n -k 2 | awk '{ print $1 }' >back &&
	"$lycosa" graph relabel --graph new.txt --order-from back --write-urls old.urls old.txt &&
	cmp old.txt web.txt >problem && cmp old.urls web.urls >problem && ! cmp -s new.txt web.txt
result $? "relabelling back gives the graph and its URLs again"

"$lycosa" replay --graph web.txt --policy bfs --seeds hosts:1 --order crawled -q >/dev/null &&
	"$lycosa" graph relabel --graph web.txt --order-from crawled --write-ids ids first.txt &&
	head -n "$(wc -l <crawled)" ids | cmp - crawled >problem
result $? "the order of a replay becomes the order of nodes"

"$lycosa" graph relabel --graph web.txt --sort url --write-urls sorted.urls sorted.txt &&
	LC_ALL=C sort -c sorted.urls 2>problem && ! LC_ALL=C sort -c web.urls 2>/dev/null
result $? "nodes are sorted by their URLs"

sed -n '1~3p' web.urls >some.urls
"$lycosa" graph subgraph --graph web.txt --select some.urls --write-urls part.urls part.txt &&
	sed 's/^[0-9]* //' part.urls | cmp - some.urls >problem &&
	awk '!/^#/ && $1 % 3 == 0 && $2 % 3 == 0' web.txt >want &&
	grep -v '^#' part.txt | cmp - want >problem
result $? "a part is its nodes, by URL, and the links between them"
"$lycosa" graph relabel --graph part.txt --urls part.urls --sort url --write-urls sorted.urls sorted.txt 2>problem &&
	sort some.urls | cmp - sorted.urls >problem
result $? "a part is read again with the URLs that were written for it"

"$lycosa" graph subgraph --graph web.txt --select some.urls - | "$lycosa" graph info --graph - |
	grep -E '^(nodes|arcs)	' >got
printf 'nodes\t%d\narcs\t%d\n' "$(wc -l <some.urls)" "$(wc -l <want)" | diff - got >problem
result $? "a part keeps its nodes without links, through a pipe"

! "$lycosa" graph subgraph --graph web.txt --crawled part.txt 2>errors && grep -q 'no store' errors &&
	! "$lycosa" graph subgraph --graph web.txt part.txt 2>errors && grep -q 'which nodes' errors
result $? "a part of nothing known is refused"

"$lycosa" graph convert --graph web.txt --to bvgraph web && mv web.offsets kept &&
	"$lycosa" graph info --graph web 2>errors >/dev/null && grep -q 'lycosa graph offsets --graph web' errors &&
	"$lycosa" graph offsets --graph web && cmp web.offsets kept >problem &&
	"$lycosa" graph info --graph web 2>errors >/dev/null && [ ! -s errors ]
result $? "missing offsets are offered, and written"

"$lycosa" graph convert --graph web.txt --to csr web.csr && gzip -kf web.txt &&
	"$lycosa" graph verify web.txt web.txt.gz web.csr web >got && [ "$(grep -c . got)" -eq 6 ] &&
	[ "$(tail -n 4 got | cut -f 3-5 | sort -u | wc -l)" -eq 1 ]
result $? "whole files are verified, and are one graph"

# flip FILE BYTE: the file with one bit changed, counted from its end, on stdout
flip() {
	n=$(($(wc -c <"$1") - $2))
	byte=$(tail -c +$((n + 1)) "$1" | head -c 1 | od -An -tu1)
	head -c $n "$1"
	# shellcheck disable=SC2059 # an octal byte
	printf "\\$(printf %03o $((byte ^ 1)))"
	tail -c +$((n + 2)) "$1"
}
flip web.txt.gz 6 >flipped.txt.gz && flip web.csr 4 >flipped.csr &&
	for f in flipped.txt.gz flipped.csr; do
		"$lycosa" graph verify web.txt $f >got 2>errors
		[ $? -eq 3 ] && grep -q "$f.* damaged" errors && [ "$(tail -n 1 got | cut -f 1)" = web.txt ] &&
			! "$lycosa" graph info --graph $f >/dev/null 2>&1 || echo $f
	done >problem
[ -f flipped.csr ] && [ ! -s problem ]
result $? "a flipped bit is told, by verify and by every load"

mkdir other && "$lycosa" graph generate --nodes 20000 --rng-seed 9 --to bvgraph other/web &&
	cp web.graph web.properties other/ &&
	! "$lycosa" graph verify other/web 2>errors && grep -q "web.graph'.* \.offsets .* another graph" errors &&
	head -n 500 web.txt >cut.txt && ! "$lycosa" graph verify cut.txt 2>errors && grep -q 'is it cut short' errors
result $? "offsets of another graph, and fewer links than announced, are told"

gzip -c web.txt | head -c 20000 >short.txt.gz
"$lycosa" graph info --graph short.txt.gz 2>errors
[ $? -eq 3 ] && grep -q 'cut short' errors
result $? "a packed file cut short is called that"

printf '200511\ta.ca\tb.ca\t1\n200601\tb.ca\tc.ca\t1\n' >links.txt
"$lycosa" graph convert --graph 'links.txt#200601-200612' --write-hosts hosts part.txt &&
	printf 'b.ca\nc.ca\n' | diff - hosts >problem
result $? "months behind a path name a part of it"

printf '1000000 5\n5 99999999999\n5 1000000\n5 5\n' >sparse.txt
for verb in convert transpose; do
	"$lycosa" graph $verb --graph sparse.txt --to bvgraph --write-ids ids-$verb sparse-$verb 2>>problem
	printf '5\n1000000\n99999999999\n' | diff - ids-$verb >>problem 2>&1
done
printf '5 a\n1000000 a\n99999999999 b\n' >by-id.hosts
"$lycosa" graph prune --graph sparse.txt --hosts by-id.hosts --within host --to mtx --write-ids ids-prune sparse.mtx 2>>problem
diff ids-convert ids-prune >>problem 2>&1
[ ! -s problem ]
result $? "ids that a format cannot have are told beside it"

printf '# Nodes: 2 Edges: 2\n0 1\n1 5\n' >wrong.txt
"$lycosa" graph info --graph wrong.txt >/dev/null 2>errors
[ $? -eq 3 ] && grep -q "announces 2 nodes, but has arcs between 3" errors
result $? "a heading that the arcs contradict is refused"

printf '4 5\n0 1\n1 2\n2 3\n3 0\n3 1\n' >sizes.txt
info_of 4 5 - --graph sizes.txt && grep -q "first line tells 4 nodes and 5 arcs, and is no arc" errors &&
	[ "$(wc -l <errors)" -eq 1 ]
result $? "a first line of sizes is a heading, and that is said"

printf '# Nodes: 9 Edges: 2\n0 1\n3 4\n' >isolated.txt
"$lycosa" graph convert --graph isolated.txt --to csv isolated.csv 2>errors &&
	grep -q "without 5 nodes that have no links: csv cannot hold them" errors &&
	"$lycosa" graph convert --graph isolated.txt --to edges isolated.out 2>errors && [ ! -s errors ] &&
	"$lycosa" graph convert --graph sparse.txt --to asciigraph sparse.out 2>errors &&
	grep -q "without the ids of the nodes: asciigraph numbers them anew" errors &&
	"$lycosa" graph convert --graph sparse.txt --to asciigraph --write-ids ids sparse.out 2>errors &&
	[ ! -s errors ]
result $? "what a format cannot hold is said, unless it is kept beside it"

printf '7 http://b.org/\n5 http://a.org/ x\n9 http://a.org/2\n' >some.urls
printf '5 9\n9 7\n' >some.txt
"$lycosa" graph relabel --graph some.txt --urls some.urls --sort url --write-urls sorted.urls new.txt 2>errors &&
	printf 'http://a.org/\nhttp://a.org/2\nhttp://b.org/\n' | diff - sorted.urls >problem
result $? "lines of an id and a URL name the nodes"

printf 'http://a.org/\nhttp://b.org/\nhttp://c.org/\n' >by-line.urls
printf '7 http://b.org/\n5 http://a.org/ x\n' >few.urls
! "$lycosa" graph info --graph some.txt --urls by-line.urls 2>errors &&
	grep -q "the ids are not 0 to 2 or 1 to 3, the last one is 9" errors &&
	! "$lycosa" graph info --graph some.txt --urls few.urls 2>errors && grep -q "few.urls' has no name of the node 9" errors &&
	printf 'source,target\nhttp://b.org/,http://c.org/\n' >named.csv &&
	! "$lycosa" graph info --graph named.csv --urls by-line.urls 2>errors && grep -q "names its nodes itself" errors
result $? "names that do not fit the nodes are refused"

mkdir -p crawl/vertices crawl/edges && printf '0\tcom.example\n1\torg.a.www\n' | gzip >crawl/vertices/part-0.gz &&
	printf '0\t1\n' >crawl/edges/part-0 && "$lycosa" rank --graph crawl --by indegree --top 1 2>errors | tail -n 1 >got &&
	printf '1\t1\twww.a.org\n' | diff - got >problem && [ ! -s errors ] &&
	! "$lycosa" graph info --graph sparse.txt --urls crawl/vertices/part-0.gz 2>errors &&
	grep -q "part-0.gz:1: 'com.example' behind the id 0 is no URL" errors
result $? "the vertices and edges of Common Crawl are a graph, and vertices are no URLs"
