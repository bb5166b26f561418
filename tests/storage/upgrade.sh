#!/bin/sh
# Stores that earlier versions wrote are read as they are, go on where their crawl was, and are of today's format then. Each file in
# tests/storage/kept is the data.mdb of a crawl of the graph `web` below, stopped after 20 of its 60 pages, in the format of its name.
. "$(dirname "$0")/../tap.sh"
plan 16

# the graph is written here and not generated, so that a generator that changes does not change what the old stores crawled
awk 'BEGIN { for (u = 0; u < 60; u++) for (i = 1; i <= 3; i++) print u "\t" (i == 1 ? u + 1 : u * i + 7) % 60 }' >web.txt
seq 0 59 | awk '{ print "http://" ($1 % 2 ? "a" : "b") ".test/" $1 }' >web.urls
serve --graph web.txt --urls web.urls


# crawl STORE FLAG...
crawl_web() {
	into=$1
	shift
	"$lycosa" crawl --store "$into" --connect-to "a.test:80:127.0.0.1:$port" --connect-to "b.test:80:127.0.0.1:$port" -q "$@"
}
# what_is STORE: each page with its state and its status
what_is() { "$lycosa" export --store "$1" --pages | cut -d, -f2,4,6 | sort; }

crawl_web fresh --delay 0 --delay-factor 0 -D a.test,b.test --policy opic http://a.test/1 >out 2>problem
what_is fresh >whole 2>>problem
[ "$(grep -c crawled whole)" = 60 ] || cp whole problem
result $? "a crawl of today gets all 60 pages"
for format in 1 2 3 4 5; do
	mkdir "store$format"
	gunzip -c "$top/tests/storage/kept/format-$format.mdb.gz" >"store$format/data.mdb"
	"$lycosa" store verify --store "store$format" >out 2>problem && grep -q 'is sound' problem && : >problem
	what_is "store$format" >part 2>>problem
	[ "$(grep -c crawled part)" = 20 ] || cat part >>problem
	grep crawled part | comm -23 - whole >>problem
	verdict "a store of format $format is read"
	"$lycosa" rank "store$format" --top 3 -q >out 2>problem && "$lycosa" replay --graph "store$format" --policy bfs --seeds roots -q >out 2>>problem || echo "status $?" >>problem
	verdict "a store of format $format is a graph"
	if [ $format = 1 ]; then
		status 3 "$lycosa" crawl --store store1 && grep -q 'perhaps with --previous' errors &&
			status 0 "$lycosa" store explain --store store1 http://a.test/13 && grep -q 'state: queued' results &&
			status 3 "$lycosa" view store1 && grep -q 'has the first format' errors && crawl_web from1 --previous store1 --delay 0 --delay-factor 0 -D a.test,b.test http://a.test/1 >out 2>problem &&
			[ "$(what_is from1 | grep -c crawled)" = 60 ] || what_is from1 >problem
		verdict "no crawl goes on with it, and one begins from it"
		continue
	fi
	crawl_web "store$format" --max-pages 100 >out 2>problem || cat out >>problem
	"$lycosa" store verify --store "store$format" >out 2>>problem && what_is "store$format" >all && diff whole all >problem
	verdict "its crawl goes on to the whole"
done
