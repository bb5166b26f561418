#!/bin/sh
# Two crawls of a served graph, each of half of the hosts, merged into one store.
. "$(dirname "$0")/../tap.sh"
plan 10

"$lycosa" graph generate -q --nodes 400 --arcs-per-node 6 --write-urls web.urls web.txt
background "$lycosa" serve --graph web.txt --urls web.urls --port 0 --faults 404=0.05 >serve.log 2>&1
servers="$servers $!"
wait_for serve.log :
port=$(sed 's/.*://' serve.log)
crawl() {
	"$lycosa" crawl "$@" --connect-to "::127.0.0.1:$port" --delay 0 --contact a@example.org -q >/dev/null 2>>problem
}
for half in '[02468]' '[13579]'; do
	grep "$half\.test" web.urls >seeds
	crawl --seeds seeds -D "$(cut -d/ -f3 seeds | sort -u | paste -sd, -)" --store "half$half"
done
crawl --seeds web.urls --store whole
verdict "the crawls end"

status 0 "$lycosa" store merge 'half[02468]' 'half[13579]' --into both && grep -q '^pages	400$' results
result $? "two stores are merged, and each page is there once"
status 0 "$lycosa" store verify both
result $? "the new store is sound"
"$lycosa" store dump both >both.txt
"$lycosa" store dump whole >whole.txt
diff both.txt whole.txt >problem
result $? "it says what one crawl of all hosts says"
status 0 "$lycosa" replay --graph both --seeds random:1 --policy opic && status 0 "$lycosa" rank --graph both --by pagerank --top 3 &&
	status 0 "$lycosa" seeds --graph both --method hits --count 3
result $? "it replays, ranks and gives seeds"
status 0 crawl --store both
result $? "a crawl of it finds nothing left to do"
says 2 'exists' "$lycosa" store merge whole --into both && says 2 'one store' "$lycosa" store merge whole whole/ --into new &&
	says 3 'nothere' "$lycosa" store merge whole nothere --into new
result $? "an existing folder, one store twice and a missing one are refused"
[ ! -e new ]
result $? "and leave nothing behind"
# what a merge leaves that was killed: the lock, and a store that is not complete, in a folder of its own
mkdir -p left/.making taken/.making
cp whole/data.mdb whole/writer left/.making/
touch left/writer taken/mine
status 0 "$lycosa" store merge whole --into left && "$lycosa" store dump left | cmp - whole.txt >problem 2>&1 && [ ! -e left/.making ]
result $? "one that was killed leaves nothing in the way of the next"
says 2 'exists' "$lycosa" store merge whole --into taken && [ -e taken/mine ] && [ -e taken/.making ]
result $? "what else lies in the way is not touched"
