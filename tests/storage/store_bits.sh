#!/bin/sh
# A bit is flipped in each page of the file of a small store, under every verb that reads a store: the output is that of the sound store, or
# the status is 18 with one line that says what is damaged, and nothing was written.
. "$(dirname "$0")/../tap.sh"
plan 5

# a crawl whose only seed is refused leaves the settings of a crawl
"$lycosa" crawl http://127.0.0.1:1/ --store settings --policy bfs --delay 0 --tries 1 -q >/dev/null 2>&1
"$build/tests/bench/bench_crawled" s 60 5 settings >/dev/null
cp s/data.mdb sound
url=http://www0.example.org/some/folder/00000000/page0.html
printf '0\n1\n' >seeds

# run VERB: with the store `s`, its results to stdout
run() {
	case $1 in
	info | dump) "$lycosa" store "$1" s ;;
	explain) "$lycosa" store explain s "$url" ;;
	diff) "$lycosa" store diff s other ;;
	graph) "$lycosa" graph info --graph s ;;
	convert) "$lycosa" graph convert -q --graph s --to edges converted && cat converted ;;
	rank) "$lycosa" rank --graph s --by pagerank ;;
	replay) "$lycosa" replay --graph s --seeds seeds --policy bfs -q --order - ;;
	compare) "$lycosa" compare --graph s --seeds seeds --policies bfs,opic -q ;;
	seeds) "$lycosa" seeds --graph s --method hits --count 3 -q ;;
	coverage) "$lycosa" coverage --graph s --seeds seeds --hops 1 ;;
	pages) "$lycosa" export --store s --pages --to csv - ;;
	links) "$lycosa" export --store s --links --to jsonl - ;;
	config) "$lycosa" crawl --store s --print-config ;;
	plan) "$lycosa" crawl --store s --dry-run ;;
	merge) "$lycosa" store merge -q s other --into both >/dev/null && "$lycosa" store dump both ;;
	compact) "$lycosa" store compact s >/dev/null && "$lycosa" store dump s ;;
	crawl) "$lycosa" crawl --store s --max-pages 1 --connect-to ::127.0.0.1:1 -q >/dev/null && "$lycosa" store dump s ;;
	esac
}
readers="info dump explain diff graph convert rank replay compare seeds coverage pages links plan config"
writers="merge compact crawl"

cp -r s other
for verb in $readers $writers; do
	run "$verb" >"sound.$verb" 2>>problem || echo "$verb: status $?" >>problem
	rm -rf both s/frontier
	cp sound s/data.mdb
done
verdict "the sound store is read"

# flip BYTE: changes a bit of the byte in s/data.mdb
flip() {
	byte=$(od -An -tu1 -j"$1" -N1 sound)
	printf "\\$(printf %o $((byte ^ 4)))" | dd of=s/data.mdb bs=1 seek="$1" conv=notrunc 2>/dev/null
}

pages=$(($(wc -c <sound) / 4096))
refused=0 page=0
while [ $page -lt $pages ]; do
	cp sound s/data.mdb
	flip $((page * 4096 + 4090 - page % 2 * 40))
	cp s/data.mdb damaged
	for verb in $readers $writers; do
		run "$verb" >out 2>errors
		got=$?
		if [ $got = 18 ]; then
			refused=$((refused + 1))
			[ "$(wc -l <errors)" = 1 ] && grep -q '^lycosa: .*damaged: .*; nothing was changed: put back a copy' errors ||
				{ echo "page $page, $verb:" && cat errors; } >>problem
			[ ! -s out ] && cmp s/data.mdb damaged >>problem && [ "$(ls s)" = "$(printf 'data.mdb\nlock.mdb\nwriter')" ] && [ ! -e both ] ||
				echo "page $page, $verb: something was written" >>problem
		elif [ $got != 0 ] || ! cmp -s out "sound.$verb"; then
			{ echo "page $page, $verb: status $got" && diff out "sound.$verb" | head -n 3 && cat errors; } >>problem
		fi
		rm -rf both converted s/frontier
		cp damaged s/data.mdb
	done
	page=$((page + 1))
done
verdict "with a bit flipped in any page, what is said is what the sound store says, or the store is refused"
[ $refused -gt $((pages * 4)) ]
result $? "many of these bits matter ($refused refusals in $pages pages)"

# the page of `page`, which many bits of the store lead to
grep -abo 'page59.html' sound | head -n 1 | cut -d: -f1 >at
cp sound s/data.mdb
flip "$(cat at)"
says 18 "with 121 of 121 URLs of pages" "$lycosa" view s --listen 0 && says 18 "with 121 of 121 URLs of pages" "$lycosa" rank --graph s --by indegree
result $? "the line says which part is damaged, and what it has"
"$lycosa" store verify s >results 2>errors
[ $? = 18 ] && grep -q '^S3: ' results && grep -q "breaches" errors
result $? "store verify lists it"
