#!/bin/sh
# What is wrong is told in one line, with the status that the manual promises, and harms nothing:
# the files at hand, stores above all, stay what they were.
. "$(dirname "$0")/../tap.sh"

# state: all that lies in `scene`, but for who looked at a store last (LMDB's table, our lock)
state() {
	find scene -type d | sort
	find scene -type f ! -name lock.mdb ! -name writer -exec cksum {} + | sort -k 3
}

# bad NAME STATUS PATTERN ARGUMENT...: lycosa fails so, with one line that has the pattern
bad() {
	name=$1 wanted=$2 pattern=$3
	shift 3
	state >before
	"$lycosa" "$@" >results 2>errors </dev/null
	got=$?
	state >after
	{
		[ $got -eq "$wanted" ] || echo "status $got, not $wanted"
		has_one_line errors || echo "$(wc -l <errors) lines of talk"
		head -n 1 errors | grep -q "^lycosa: .*$pattern" || echo "it does not say: $pattern"
		[ ! -s results ] || echo "there are results"
		diff before after
	} >problem
	[ ! -s problem ] || { echo "$*"; cat errors; } >>problem
	[ ! -s problem ]
	result $? "$name"
}

mkdir scene
"$lycosa" graph generate --nodes 400 --write-urls scene/web.urls scene/web.txt || exit 1
"$lycosa" graph convert --graph scene/web.txt --to bvgraph scene/web || exit 1
"$lycosa" graph convert --graph scene/web.txt --to csr scene/web.csr || exit 1
serve --graph scene/web.txt
here="--connect-to ::127.0.0.1:$port --delay 0 -q"
url=$(head -n 1 scene/web.urls)
"$lycosa" crawl "$url" --store scene/store -H $here --max-pages 200 --total 400 >/dev/null || exit 1
cp -r scene/store whole

# --- how it is called
# the one wrong call whose talk is more than a line: which verbs there are
"$lycosa" >results 2>errors
{
	[ $? = 2 ] && [ ! -s results ] && tail -n 1 errors | grep -qx 'lycosa: lycosa needs a verb' || cat errors
} >problem
verdict "no verb"
bad "an unknown verb" 2 "unknown verb 'replya'; the nearest is 'replay'" replya
bad "an unknown verb of a verb" 2 "unknown verb 'inof'; the nearest is 'info'" graph inof
bad "an unknown flag" 2 "unknown flag '--grpah'; the nearest is '--graph'" replay --grpah scene/web.txt
bad "a flag without its value" 2 "--top needs a value" rank --graph scene/web.txt --top
bad "an empty text" 2 "--order needs a value: FILE" replay --graph scene/web.txt --seeds random:3 --order ''
bad "a value where none is taken" 2 "--json takes no value" rank --graph scene/web.txt --json=1
bad "a needed flag left out" 2 "--graph PATH is needed" replay --seeds random:3
bad "too many operands" 2 "'extra' is too much" replay extra --graph scene/web.txt --seeds random:3
bad "both of two that exclude each other" 2 "one of --graph, --pages and --endless" \
	serve --graph scene/web.txt --pages scene
bad "no agents" 2 "--agents" replay --graph scene/web.txt --seeds random:3 --agents 0
mkfifo scene/pipe
bad "names from a pipe" 3 "is a pipe" rank --graph scene/web.txt --urls scene/pipe
rm scene/pipe
bad "a port out of range" 2 "from 0 to 65535, not '99999'" serve --graph scene/web.txt --port 99999
bad "a fault without its share" 2 "name=share" serve --graph scene/web.txt --faults nope

# replay_bad NAME STATUS PATTERN FLAG...
replay_bad() {
	name=$1 wanted=$2 pattern=$3
	shift 3
	bad "$name" "$wanted" "$pattern" replay --graph scene/web.txt "$@"
}
drawn="--seeds random:3"
replay_bad "an unknown policy" 2 "'bsf'; the nearest is 'bfs'" $drawn --policy bsf
replay_bad "an unknown option" 2 "no option 'beat'; the nearest is 'beta'" \
	$drawn --policy ieca --policy-opt beat=1
replay_bad "an option of a policy that has none" 2 "bfs has no options" \
	$drawn --policy bfs --policy-opt beta=1
replay_bad "an option out of range" 2 "'beta' takes a number from 0 to 10, not '99'" \
	$drawn --policy ieca --policy-opt beta=99
replay_bad "an option that is no number" 2 "'beta' takes a number" \
	$drawn --policy ieca --policy-opt beta=x
replay_bad "an option with an unknown word" 2 "one of min|avg, not 'max'" \
	$drawn --policy fica --policy-opt update=max
replay_bad "an option without a value" 2 "'beta' is not of the form key=value" \
	$drawn --policy ieca --policy-opt beta
replay_bad "a negative number of pages" 2 "'-1'" $drawn --max-pages -1
replay_bad "a fraction above 1" 2 "--at 2" $drawn --at 2
replay_bad "a batch of nothing" 2 "--batch .*'0'" $drawn --batch 0
replay_bad "a total of many" 2 "--total .*'many'" $drawn --total many
replay_bad "more pages than the graph has" 2 "only 400 nodes" $drawn --max-pages 401
bad "an unknown policy among several" 2 "'nope'" \
	compare --graph scene/web.txt $drawn --policies bfs,nope
bad "an unknown ranking" 2 "--by is one of .*'beauty'" rank --graph scene/web.txt --by beauty
bad "an unknown format" 2 "'bvgrap'; the nearest is 'bvgraph'" \
	graph convert --graph scene/web.txt --to bvgrap scene/new
bad "a graph of no nodes" 2 "--nodes .*'0'" graph generate --nodes 0 scene/new

# --- seeds
echo 400 >scene/seeds
replay_bad "a seed outside the graph" 2 "seeds:1: no node '400'" --seeds scene/seeds
printf '# none\n\n' >scene/seeds
replay_bad "no seed in the file" 19 "no seed" --seeds scene/seeds
echo http://nowhere.test/ >scene/seeds
replay_bad "no seed left" 19 "no seed" --seeds scene/seeds
replay_bad "no such file of seeds" 3 "'scene/nothing'" --seeds scene/nothing
replay_bad "more seeds than nodes" 2 "only 400 nodes" --seeds random:401
replay_bad "a seed of the wrong kind" 2 "'random:x'" --seeds random:x

# --- several graphs, and graphs that lack something
printf '0 1\n1 0\n' >scene/bare.txt
bad "a policy by hosts on a graph without" 2 "goes by hosts, and the graph has none" \
	compare --graph scene/bare.txt --seeds random:1 --policies bfs,largest-site
bad "seeds by hosts on a graph without" 2 "the graph has no hosts" replay --graph scene/bare.txt --seeds hosts:1
both="--graph scene/web.txt --graph scene/bare.txt --policies bfs"
bad "stdin for the seeds of two graphs" 2 "there are 2 graphs" compare $both --seeds -
bad "one file of hosts for two graphs" 2 "--hosts is one graph's" compare $both --seeds random:1 --hosts scene/web.urls
bad "more seeds than the second of two graphs has" 2 "only 2 nodes" compare $both --seeds random:3
bad "more pages than the second of two graphs has" 2 "only 2 nodes" compare $both --seeds random:1 --max-pages 3
bad "the second of two graphs is missing" 3 "scene/nothing" \
	compare --graph scene/web.txt --graph scene/nothing --seeds random:1 --policies bfs
bad "a ranking by a crawl without seeds" 2 "--seeds SEEDS is needed by 'opic'" rank --graph scene/web.txt --by opic
bad "seeds for a ranking by the graph" 2 "--seeds is for ieca, fica and opic" rank --graph scene/web.txt $drawn
bad "a ranking like none" 2 "'beauty'" rank --graph scene/web.txt --against beauty

# --- graphs
info_bad() {
	bad "$1" 3 "$2" graph info --graph "$3"
}
info_bad "no such file" "'scene/nothing.txt'" scene/nothing.txt
info_bad "a folder that is no store" "'scene'" scene
: >scene/empty.txt
info_bad "an empty file" "'scene/empty.txt'" scene/empty.txt
head -c 3000 /dev/zero >scene/zeros
info_bad "a file of zeros" "'scene/zeros'" scene/zeros
printf '0\t1\n1\ttwo\n' >scene/word.txt
info_bad "a word in an edge list" "word.txt:2: 'two'" scene/word.txt
printf '0\t1\n1\t-2\n' >scene/word.txt
info_bad "a negative node" "word.txt:2: '-2'" scene/word.txt
printf '0\t1\n1\t99999999999999999999\n' >scene/word.txt
info_bad "a node beyond all numbers" "word.txt:2: '99999999999999999999'" scene/word.txt
printf '0\t1\n1\n' >scene/word.txt
info_bad "half an arc" "word.txt:2" scene/word.txt
gzip -c scene/web.txt | head -c 1500 >scene/cut.txt.gz
info_bad "an edge list whose compression is cut short" "cut.txt.gz" scene/cut.txt.gz
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n' >scene/bad.mtx
info_bad "an entry outside of a matrix" "outside of 1..3" scene/bad.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n' >scene/bad.mtx
info_bad "a matrix with too few entries" "announces 2" scene/bad.mtx
for n in 13 64 1000; do
	head -c $n scene/web.csr >scene/cut.csr
	info_bad "a mapped graph cut after $n bytes" "cut.csr" scene/cut.csr
done

size=$(wc -c <scene/web.graph)
cp scene/web.properties scene/cut.properties
for n in 0 1 100 $((size / 2)) $((size - 2)); do
	head -c "$n" scene/web.graph >scene/cut.graph
	info_bad "a BVGraph cut after $n of $size bytes" "'scene/cut.graph'" scene/cut
done
bad "its replay" 3 "'scene/cut.graph'" replay --graph scene/cut $drawn --policy bfs
bad "its conversion" 3 "'scene/cut.graph'" graph convert --graph scene/cut --to csr scene/new
cp scene/web.graph scene/cut.graph
sed 's/^nodes=.*/nodes=4000000000/' scene/web.properties >scene/cut.properties
info_bad "a BVGraph that promises too many nodes" "4000000000 nodes" scene/cut
sed '/^nodes=/d' scene/web.properties >scene/cut.properties
info_bad "a BVGraph that does not say how many" "cut.properties" scene/cut
rm scene/cut.properties
info_bad "a BVGraph without properties" "no .properties" scene/cut
head -n 5 scene/web.urls >scene/few.urls
bad "fewer URLs than nodes" 3 "few.urls' has 5 lines.*400 nodes" \
	rank --graph scene/web.txt --urls scene/few.urls

# --- places that cannot be written
bad "a result below a file" 3 "cannot write 'scene/web.txt/new'" \
	graph convert --graph scene/web.txt --to csr scene/web.txt/new
bad "a result in no folder" 3 "cannot write 'scene/nowhere/new'" \
	replay --graph scene/web.txt $drawn --order scene/nowhere/new
mkdir scene/locked && chmod a-w scene/locked
if [ -w scene/locked ]; then
	skip "a result in a locked folder" "this user may write everywhere"
	skip "a store in a locked folder" "this user may write everywhere"
else
	bad "a result in a locked folder" 3 "'scene/locked/new'" \
		graph convert --graph scene/web.txt --to csr scene/locked/new
	bad "a store in a locked folder" 3 "'scene/locked/store'" crawl "$url" --store scene/locked/store $here
fi

# --- crawls that cannot begin leave no store behind
crawl_bad() {
	name=$1 wanted=$2 pattern=$3
	shift 3
	bad "$name" "$wanted" "$pattern" crawl --store scene/new $here "$@"
}
crawl_bad "a seed that is no URL" 2 "seed 'not a url' is no URL" 'not a url'
crawl_bad "a seed without a host" 2 "seed 'http://' is no URL" http://
crawl_bad "a seed that is no web page" 2 "seed 'mailto:...@y.test' is not http" mailto:x@y.test
crawl_bad "a URL good and one bad" 2 "seed 'not a url'" "$url" 'not a url'
crawl_bad "nothing to crawl" 19 "nothing to crawl: .*'scene/new' has no store to go on with"
echo 5 >scene/seeds
crawl_bad "a node as a seed of a live crawl" 2 "seeds:1: '5'" --seeds scene/seeds
crawl_bad "no file of seeds" 3 "'scene/nothing'" --seeds scene/nothing
crawl_bad "an unknown policy for a crawl" 2 "'bsf'; the nearest is 'bfs'" "$url" --policy bsf
crawl_bad "an unknown option for a crawl" 2 "no option 'x'" "$url" --policy ieca --policy-opt x=1
crawl_bad "a delay that is no time" 2 "--delay .*'soon'" "$url" --delay soon
crawl_bad "a pattern that is none" 2 "'(' is no " "$url" --accept-regex '('
crawl_bad "an order file that cannot be written" 3 "'scene/nowhere/order'" "$url" --order scene/nowhere/order
crawl_bad "a detour that is none" 2 "'x.test'" "$url" --connect-to x.test --contact a@b.test
crawl_bad "a header that is none" 2 "'Accept'" "$url" --header Accept
crawl_bad "a file without certificates" 3 "'scene/web.txt': no certificate" "$url" --cacert scene/web.txt
crawl_bad "no file of certificates" 3 "'scene/nothing'" "$url" --cacert scene/nothing
bad "a crawl beyond this machine that does not say who crawls" 2 "--contact" \
	crawl http://example.com/ --store scene/new
bad "a store below a file" 3 "'scene/web.txt/new'" crawl "$url" --store scene/web.txt/new $here
bad "a file as a store" 3 "scene/web.txt" crawl "$url" --store scene/web.txt $here

# --- a crawl that goes on, but not so
on="crawl --store scene/store $here"
bad "another policy than before" 2 "--policy scout, not bfs" $on --policy bfs
bad "another batch than before" 2 "--batch .*, not 3" $on --batch 3
bad "another total than before" 2 "--total 400, not 3" $on --total 3
bad "a further seed that is no URL" 2 "seed 'not a url'" $on 'not a url'

# --- stores
bad "no store" 3 "no store in 'scene/nothing'" store info --store scene/nothing
bad "a folder without a store" 3 "no store in 'scene'" store dump --store scene
bad "a URL that the store does not know" 19 "http://nowhere.test/" \
	store explain --store scene/store http://nowhere.test/

# store_bad NAME PATTERN: each verb that reads or writes the store in `scene/hurt` is status 18
store_bad() {
	bad "$1: store info" 18 "$2" store info --store scene/hurt
	bad "$1: store dump" 18 "$2" store dump --store scene/hurt
	bad "$1: store verify" 18 "$2" store verify --store scene/hurt
	bad "$1: replay" 18 "$2" replay --graph scene/hurt $drawn
	bad "$1: crawl" 18 "$2" crawl "$url" --store scene/hurt $here
}
hurt() {
	rm -rf scene/hurt
	cp -r whole scene/hurt
}
hurt
LC_ALL=C sed -i 's/format[0-9]/format9/g' scene/hurt/data.mdb
store_bad "a store of another version" "format 9"
hurt
LC_ALL=C sed -i 's/format[0-9]/formatx/g' scene/hurt/data.mdb
store_bad "a store that does not tell its version" "scene/hurt"
hurt
truncate -s $(($(wc -c <whole/data.mdb) / 2)) scene/hurt/data.mdb
store_bad "a store cut short" "damaged"
hurt
dd if=/dev/zero of=scene/hurt/data.mdb bs=4096 seek=2 conv=notrunc \
	count=$(($(wc -c <whole/data.mdb) / 4096 - 2)) 2>/dev/null
store_bad "a store of zeros" "damaged"
hurt
echo 'this is no database' >scene/hurt/data.mdb
store_bad "a store that is a text" "scene/hurt"
rm -rf scene/hurt

# --- a store in use
background "$lycosa" crawl "$url" --store busy -H --connect-to "::127.0.0.1:$port" --delay 10s -q >/dev/null 2>&1
writer=$!
servers="$servers $writer"
wait_for busy/writer "^$writer" || echo "no pid in busy/writer" >problem
bad "a store in use" 3 "process $writer " crawl "$url" --store busy $here
bad "a store in use, of another policy" 3 "process $writer " crawl "$url" --store busy $here --policy dfs
kill -TERM $writer
wait $writer
[ $? -eq 17 ] && "$lycosa" store verify --store busy >/dev/null 2>problem
result $? "the crawl that used it ends in order"

# --- readers that go early, and disks that are full
early() {
	rm -f left
	{
		"$lycosa" "$@" 2>problem
		echo $? >left
	} | head -n 1 >results
	[ "$(cat left)" -eq 0 ] && [ ! -s problem ] && [ "$(wc -l <results)" -eq 1 ]
	result $? "head -n 1: $*"
}
early store dump --store scene/store
early replay --graph scene/web.txt --seeds random:3 --policy bfs --order -
early replay --graph scene/web.txt --seeds random:3 --policy bfs --json
early rank --graph scene/web.txt --all
early graph generate --nodes 20000 -
early list policies
early crawl --help

full() {
	name=$1
	shift
	if [ ! -w /dev/full ]; then
		skip "/dev/full: $name" "no /dev/full"
		return
	fi
	state >before
	"$lycosa" "$@" >/dev/full 2>errors
	got=$?
	state >after
	{
		[ $got -eq 3 ] || echo "status $got, not 3"
		[ "$(wc -l <errors)" -eq 1 ] && grep -q '^lycosa: cannot write' errors || cat errors
		diff before after
	} >problem
	[ ! -s problem ]
	result $? "/dev/full: $name"
}
full "store dump" store dump --store scene/store
full "store info" store info --store scene/store
full "replay" replay --graph scene/web.txt --seeds random:3
full "replay --order -" replay --graph scene/web.txt --seeds random:3 --order -
full "compare" compare --graph scene/web.txt --seeds random:3 --policies bfs,dfs
full "graph info" graph info --graph scene/web.txt
full "graph generate" graph generate --nodes 100 -
full "help" --help

# no verb, told from the list of all, loses its results in silence when stdout is closed
{
	for verb in $("$lycosa" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
		for called in "$verb" $("$lycosa" "$verb" --help | sed -n '/VERB \.\.\./,$ s/^  \([a-z]*\)  .*/'"$verb"'|\1/p'); do
			# shellcheck disable=SC2086 # words
			"$lycosa" $(echo "$called" | tr '|' ' ') --help >&- 2>errors
			[ $? = 3 ] && grep -q 'cannot write the results to stdout' errors || echo "$called --help"
		done
	done
	closed() {
		"$lycosa" "$@" >&- 2>errors </dev/null
		got=$?
		[ $got = 3 ] && grep -q 'cannot write' errors || { echo "$* ends with $got" && cat errors; }
	}
	closed store dump scene/store && closed store info scene/store && closed store explain scene/store "$url"
	closed store verify scene/store --json && closed store diff scene/store whole && closed store compact whole
	closed store dump scene/store --failed --json && closed export --store scene/store --pages && closed export --store scene/store --hosts
	closed graph info scene/web.txt && closed graph generate --nodes 20 - && closed list policies && closed completion bash && closed data list
	closed rank scene/web.txt && closed replay scene/web.txt --seeds random:3 && closed seeds scene/web.txt --method hits --count 3
	closed coverage scene/web.txt --seeds random:3 --hops 1 && closed compare scene/web.txt --seeds random:3 --policies bfs,dfs
	closed crawl --store scene/store --print-config && closed crawl --store scene/store $here --dry-run
} >problem
verdict "a closed stdout is told by every verb"

plan $number
