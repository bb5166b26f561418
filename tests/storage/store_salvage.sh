#!/bin/sh
# A crawl's store is damaged, salvaged, and the crawl goes on with the new store.
. "$(dirname "$0")/../tap.sh"
plan 8

"$lycosa" graph generate -q --nodes 300 --arcs-per-node 6 --write-urls web.urls web.txt
background "$lycosa" serve --graph web.txt --urls web.urls --port 0 >serve.log 2>&1
servers="$servers $!"
wait_for serve.log :
port=$(sed 's/.*://' serve.log)
crawl() {
	"$lycosa" crawl "$@" --connect-to "::127.0.0.1:$port" -q >/dev/null 2>>problem
}
head -n 1 web.urls >seed
crawl --seeds seed --delay 0 --policy opic --contact a@example.org --store whole
crawl --seeds seed --delay 0 --policy opic --contact a@example.org --store old --max-pages 100 --warc archive
verdict "the crawls end"
"$lycosa" store dump whole >whole.txt
"$lycosa" store dump old >old.txt
cp old/data.mdb sound

# spoil FROM BYTES: puts zeros into the file
spoil() {
	cp sound old/data.mdb
	dd if=/dev/zero of=old/data.mdb bs=1 seek="$1" count="$2" conv=notrunc 2>/dev/null
}

# both heads of the file: LMDB cannot open it
spoil 0 8192
says 18 "lycosa store salvage old --to NEW" "$lycosa" rank --graph old --by pagerank &&
	says 18 "damaged" "$lycosa" view old --listen 0
result $? "a damaged store is refused, and the line names the remedy"
status 0 "$lycosa" store salvage old --to new && grep -q '^# rebuilt: no$' results && "$lycosa" store dump new | cmp - old.txt >problem 2>&1
result $? "without the heads of the file all is there"
crawl --store new --max-pages 0 && "$lycosa" store verify new 2>/dev/null && "$lycosa" store dump new | diff - whole.txt >problem 2>&1
result $? "the crawl goes on with it, and ends as the one that was never damaged"

# each page of the file in turn
pages=$(($(wc -c <sound) / 4096)) page=2 same=0
while [ $page -lt $pages ]; do
	spoil $((page * 4096)) 4096
	rm -rf new
	{ "$lycosa" store salvage old --to new && "$lycosa" store verify new; } >results 2>errors || { echo "page $page:" && cat results errors; } >>problem
	"$lycosa" store dump new | cmp -s - old.txt && same=$((same + 1))
	page=$((page + 1))
done
verdict "whichever page of the file is gone, the new store is sound"
[ $same -gt 2 ]
result $? "and mostly the same ($same of $((pages - 2)))"

# links that are lost are read from the archive again
for page in $(seq 2 $((pages - 1))); do
	spoil $((page * 4096)) 4096
	rm -rf new
	"$lycosa" store salvage old --to new >results 2>errors
	grep -q '^lycosa: [1-9][0-9]* pages are queued again, .*; 0 results were made anew' errors && break
done
[ "$page" -lt $((pages - 1)) ] && ! "$lycosa" store dump new | cmp -s - old.txt || echo "no page of the file has links alone" >>problem
rm -rf new
says 3 "no archive 'nothing-" "$lycosa" store salvage old --to new --warc nothing && [ ! -e new ] || echo "a store is made" >>problem
status 0 "$lycosa" store salvage old --to new --warc archive && grep -q '^# from_archive: [1-9]' results &&
	"$lycosa" store verify new >results 2>errors && "$lycosa" store dump new | diff - old.txt >>problem 2>&1
verdict "with the archive of the crawl the links that were lost are there again"

says 2 'it exists' "$lycosa" store salvage old --to new && says 2 'would overwrite' "$lycosa" store salvage old --to old &&
	says 3 'cannot open' "$lycosa" store salvage nowhere --to other && [ ! -e other/data.mdb ]
result $? "no folder in use is written"
