#!/bin/sh
# What other crawlers leave behind as graphs: a WARC file of wget's, the cache of HTTrack and a mirror of wget2's, made a WARC file by
# doc/examples/archive_of.py, have the pages and links of our own crawl of the site, and every command that takes a graph takes them.
. "$(dirname "$0")/../tap.sh"
needs python3
plan 11

"$lycosa" graph generate --nodes 60 web.txt 2>/dev/null
awk 'BEGIN { for (i = 0; i < 60; i++) print "site.test" }' >web.hosts
serve --graph web.txt --hosts web.hosts --faults gzip=0.3,seed=3 --port 0
crawl() { "$lycosa" crawl "$@" --delay 0 --parallel 1 --contact a@b.test --connect-to "::127.0.0.1:$port" -q; }
crawl http://site.test/0 --store own >summary 2>errors || cat errors
links() { "$lycosa" graph convert --graph "$1" --to csv links.csv 2>talk && sed '1d; s/^[0-9]*,[0-9]*,//' links.csv | sort; }
links own >own.links
proxy=http://127.0.0.1:$port

# takes WHAT: the commands that take a graph take this archive
takes() {
	"$lycosa" seeds --graph "$1" --method harmonic --count 2 -q >seeds.txt 2>>problem &&
		"$lycosa" replay --graph "$1" --seeds seeds.txt --policy echo --order order -q >replayed 2>>problem &&
		"$lycosa" compare --graph "$1" --seeds harmonic:2 --policies bfs,opic --target harmonic -q >compared 2>>problem &&
		"$lycosa" rank --graph "$1" --by harmonic --top 3 -q >ranked 2>>problem &&
		"$lycosa" measure --graph "$1" --order order -q >measured 2>>problem
}

# same WHO ARCHIVE: the links are those of our own crawl
same() {
	links "$2" | diff own.links - >problem
	verdict "$1 has the pages and links of our own crawl"
	takes "$2"
	verdict "$1 gives seeds, replays, comparisons, ranks and measures"
}

# sound WHO ARCHIVE: it breaks no rule of WARC, and says of each page when it was got
sound() {
	"$lycosa" archive check "$2" -q 2>problem >breaches || cat breaches >>problem
	sed '1,/^file	/d' breaches >>problem
	"$lycosa" archive list "$2" >rows 2>>problem
	awk -F '\t' '$2 ~ /^http/ && $1 !~ /^20[0-9-]*T[0-9:.]*Z$/' rows >>problem
	verdict "$1, made a WARC file, keeps the rules of WARC"
}

if command -v wget >/dev/null; then
	(http_proxy=$proxy wget -q -r -l inf -e robots=off --warc-file=w -P wget http://site.test/0)
	same "wget's archive" w.warc.gz
else
	skip "wget's archive has the pages and links of our own crawl" "no wget"
	skip "wget's archive gives seeds, replays, comparisons, ranks and measures" "no wget"
fi
if command -v wget2 >/dev/null; then
	(http_proxy=$proxy wget2 -q -r -l inf --robots=off --save-headers --protocol-directories -P wget2 http://site.test/0)
	python3 "$top/doc/examples/archive_of.py" wget2 wget2.warc >problem 2>&1
	same "wget2's mirror" wget2.warc
	sound "wget2's mirror" wget2.warc
	python3 "$top/doc/examples/archive_of.py" wget2 ported.warc --port 8080 >problem 2>&1
	"$lycosa" archive list ported.warc 2>>problem >rows
	grep -q '	http://site.test:8080/1	' rows && ! grep -q '	http://site.test/' rows || cat rows >>problem
	verdict "the port that the folders of wget2's mirror do not name can be given"
else
	skip "wget2's mirror has the pages and links of our own crawl" "no wget2"
	skip "wget2's mirror gives seeds, replays, comparisons, ranks and measures" "no wget2"
	skip "wget2's mirror, made a WARC file, keeps the rules of WARC" "no wget2"
	skip "the port that the folders of wget2's mirror do not name can be given" "no wget2"
fi
if command -v httrack >/dev/null; then
	httrack http://site.test/0 -O httrack -P "127.0.0.1:$port" -q -%v0 -c8 -%c1000 -A100000000 --disable-security-limits -s0 -K0 >talk 2>&1
	python3 "$top/doc/examples/archive_of.py" httrack/hts-cache/new.zip httrack.warc >problem 2>&1
	same "HTTrack's cache" httrack.warc
	sound "HTTrack's cache" httrack.warc
else
	skip "HTTrack's cache has the pages and links of our own crawl" "no httrack"
	skip "HTTrack's cache gives seeds, replays, comparisons, ranks and measures" "no httrack"
	skip "HTTrack's cache, made a WARC file, keeps the rules of WARC" "no httrack"
fi

# what doc/archives.md says of a second time
"$lycosa" graph convert --graph own --to csr --write-urls kept.urls kept.csr 2>problem && links kept.csr | diff own.links - >>problem
verdict "a graph that was converted to a mapped one has the same links by URL"

# archives of other programs, good and bad ones, are graphs, or it is said why they are none
samples=$(sed -n 's/^#define TEST_SHARED_DIR *"\([^"]*\)".*/\1/p' "$build/tests/paths.h")/suites/warc_samples
if [ -d "$samples" ]; then
	for file in "$samples"/*.warc "$samples"/*.warc.gz "$samples"/*.bad; do
		"$lycosa" graph info --graph "$file" -q >info 2>errors
		code=$?
		case $code in
		0) awk -F '\t' '$1 == "nodes" && $2 > 0 { found = 1 } END { exit !found }' info && echo "$file" >>read ;;
		3 | 19) grep -q 'no page of the Web\|no record of a WARC file' errors ;;
		*) false ;;
		esac || echo "$file: $code: $(cat errors)"
	done >problem 2>&1
	[ "$(wc -l <read)" -ge 8 ] || wc -l read >>problem
	verdict "archives of other programs are graphs, or it is said why they are none"
else
	skip "archives of other programs are graphs, or it is said why they are none" "no shared data (configure --with-shared)"
fi
