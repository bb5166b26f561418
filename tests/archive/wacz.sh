#!/bin/sh
# WACZ packages: a validator written from the specifications alone finds nothing in ours, and `archive check` finds what it finds in
# packages that are broken, one thing each.
. "$(dirname "$0")/../tap.sh"
needs python3 curl
plan 9

mkdir pages
{
	printf 'index.html\thttp://a.test/\nmore.html\thttp://a.test/More?z=1&a=2\nsame.html\thttp://www.b.test/same\nplain.txt\thttp://a.test/plain.txt\n'
} >pages/index.tsv
echo '<title>H&auml;user &amp; "more"</title><a href="/More?z=1&a=2">more</a> <a href="http://www.b.test/same">b</a> <a href=none>n</a> <a href=plain.txt>t</a>' >pages/index.html
echo '<title>More</title><p>more' >pages/more.html
cp pages/more.html pages/same.html
echo plain >pages/plain.txt
background "$lycosa" serve --pages pages --port 0 >server.out 2>server.err
servers="$servers $!"
wait_for server.out listening || exit 1
port=$(sed 's/.*://' server.out)
"$lycosa" crawl http://a.test/ -H --connect-to "::127.0.0.1:$port" --store crawl --warc Ours --delay 0 -q >summary 2>errors || cat errors
tools=$top/tests/archive
judge() { python3 "$tools/wacz_rules.py" "$@"; }

{
	"$lycosa" archive wacz --to ours.wacz Ours-*.warc.gz
	gzip -dc Ours-*.warc.gz >plain.warc
	"$lycosa" archive wacz --to plain.wacz plain.warc
	judge ours.wacz plain.wacz >findings || cat findings
	[ "$("$lycosa" archive list ours.wacz | grep -c 'test/')" -ge 5 ] || "$lycosa" archive list ours.wacz
} >problem 2>&1
verdict "the validator from the specifications finds nothing in our packages"

{
	for file in ours.wacz plain.wacz Ours-*.cdxj; do
		"$lycosa" archive check "$file" >checked || echo "status $?"
		sed -n '3,$p' checked
	done
} >problem 2>&1
verdict "and neither does archive check"

mkdir broken
python3 "$tools/wacz_broken.py" ours.wacz broken 2>errors || cat errors
judge broken/* >findings
for file in broken/*; do
	"$lycosa" archive check "$file" >checked 2>told
	status=$?
	name=${file#broken/}
	case $name in
	sound.wacz) [ $status = 0 ] && [ "$(wc -l <checked)" = 2 ] && ! grep "^$file:" findings || cat checked ;;
	*)
		[ "$(wc -l <checked)" -gt 2 ] || echo "$name: archive check finds nothing"
		grep -q "^$file:" findings || echo "$name: the validator finds nothing"
		;;
	esac
	[ $status = 0 ] || [ $status = 3 ] || echo "$name: status $status"
done >problem 2>&1
[ "$(ls broken | wc -l)" -ge 45 ] || echo "only $(ls broken | wc -l) broken packages" >>problem
verdict "both find each rule that a package breaks"

{
	for breach in index_length index_order; do
		unzip -p "broken/$breach.wacz" indexes/index.cdx >"$breach.cdxj" 2>/dev/null ||
			python3 -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("indexes/index.cdx"))' "broken/$breach.wacz" >"$breach.cdxj"
		"$lycosa" archive check "$breach.cdxj" >checked 2>told
		[ $? = 3 ] && [ "$(wc -l <checked)" -gt 2 ] || { echo "$breach"; cat checked told; }
	done
	head -n 3 checked | tail -n 1 | cut -f 1,2,4 | grep -q "^index_order.cdxj	2	shall" || cat checked
} >problem 2>&1
verdict "an index by itself is checked with the WARC files beside it, by line"

# sittings: one that ends at a limit, one that is killed, and one that goes on to the end
site="http://a.test/ -H --connect-to ::127.0.0.1:$port --store sitting --wacz sitting.wacz --delay 0 -q"
pages_of() { python3 -c 'import json, sys, zipfile
for line in zipfile.ZipFile(sys.argv[1]).read("pages/" + sys.argv[2]).decode().splitlines()[1:]:
    page = json.loads(line)
    print(page["url"], page["title"], sep="\t")' "$@" | sort; }
{
	"$lycosa" crawl $site --max-pages 1 >summary 2>errors || cat errors
	judge sitting.wacz >findings || cat findings
	pages_of sitting.wacz pages.jsonl >got
	printf 'http://a.test/\tH\303\244user & "more"\n' | diff got -
	cp sitting.wacz before.wacz
	background "$lycosa" crawl $site --delay 60 --max-pages 9 >summary 2>errors
	crawl=$!
	servers="$servers $crawl"
	for _ in $(seq 600); do [ "$(ls sitting/archive-*.warc.gz | wc -l)" = 2 ] && break; sleep 0.1; done
	kill -9 $crawl
	wait $crawl 2>/dev/null
	cmp before.wacz sitting.wacz
	"$lycosa" crawl $site --max-pages 100 >summary 2>errors || cat errors
	judge sitting.wacz >findings || cat findings
	"$lycosa" archive check sitting.wacz >checked || cat checked
	pages_of sitting.wacz pages.jsonl | diff got -
	printf '%s\tMore\n' 'http://a.test/More?z=1&a=2' http://www.b.test/same >want
	pages_of sitting.wacz extraPages.jsonl | diff want -
} >problem 2>&1
verdict "a crawl leaves a package, also after it was killed, with its seeds as the main pages"

{
	background "$lycosa" archive serve sitting.wacz plain.warc >served 2>errors
	servers="$servers $!"
	wait_for served listening || cat errors
	at=http://127.0.0.1:$(sed 's/.*://' served)
	curl -s "$at/" >list
	for url in a.test/ a.test/More www.b.test/same; do grep -q "/http://$url" list || { echo "$url"; cat list; }; done
} >problem 2>&1
verdict "the package is served, beside other archives"

# a second crawl of the site writes what the first one has as revisits, by the first one's package and by its index
{
	for known in ours.wacz Ours-*.cdxj; do
		rm -rf again again-*
		"$lycosa" crawl http://a.test/ -H --connect-to "::127.0.0.1:$port" --store again --warc again --warc-dedup "$known" --wacz again.wacz --delay 0 -q >summary 2>errors || cat errors
		"$lycosa" archive list again-*.warc.gz | awk -F '\t' '$4 == 200 && $2 ~ /test/ { print $2, $3 }' | sort >got
		for url in 'http://a.test/' 'http://a.test/More?z=1&a=2' http://a.test/plain.txt http://www.b.test/same; do echo "$url revisit"; done | sort | diff - got
		"$lycosa" archive check again-*.warc.gz >checked || cat checked
		python3 -c 'import json, zipfile
r = json.load(zipfile.ZipFile("again.wacz").open("datapackage.json")).get("relation")
print(*(r["requires"][0][name] for name in ("filename", "hash")) if r else ["none"])' >required
		case $known in *.wacz) echo "ours.wacz sha256:$(sha256sum ours.wacz | cut -c 1-64)" ;; *) echo none ;; esac | diff - required
		# the time of the first capture, as far as its index tells it
		first=$("$lycosa" archive list --url http://a.test/plain.txt ours.wacz | sed -n 3p | cut -c 1-19)
		gzip -dc again-*.warc.gz | tr -d '\r' | grep -A 1 -x 'WARC-Refers-To-Target-URI: http://a.test/plain.txt' >refers
		printf 'WARC-Refers-To-Target-URI: http://a.test/plain.txt\nWARC-Refers-To-Date: %sZ\n' "$first" | diff - refers
		says 19 "name the files from before, too" "$lycosa" archive get --url http://a.test/plain.txt again-*.warc.gz
		"$lycosa" archive get --url http://a.test/plain.txt again-*.warc.gz "$known" | cmp - pages/plain.txt
	done
	background "$lycosa" archive serve again-*.warc.gz ours.wacz >served 2>errors
	servers="$servers $!"
	wait_for served listening || cat errors
	at=http://127.0.0.1:$(sed 's/.*://' served)
	when=$("$lycosa" archive list --url http://a.test/plain.txt again-*.warc.gz | sed -n 3p | cut -c 1-19 | tr -d ':T-')
	curl -s "$at/$when/http://a.test/plain.txt" >shown
	grep -q "Archived" shown || cat shown
	says 2 "give one of them" "$lycosa" crawl "http://127.0.0.1:$port/" --store other --mirror files --warc-dedup ours.wacz
	says 2 "is about an archive" "$lycosa" crawl "http://127.0.0.1:$port/" --store other --warc-dedup ours.wacz
	says 3 "no line of a CDXJ index" "$lycosa" crawl "http://127.0.0.1:$port/" --store other --warc other --warc-dedup plain.warc
} >problem 2>&1
verdict "what another archive has is not written again, and is read from both"

{
	archive() { "$lycosa" archive "$@"; }
	archive index plain.warc >plain.cdxj
	for block in 1 2 3000; do
		archive index --block $block --to packed.cdx.gz plain.warc || echo "status $?"
		gzip -dc packed.cdx.gz | diff plain.cdxj -
		archive check packed.cdx.gz >checked || cat checked
		says 2 "check the index that it names" "$lycosa" archive check packed.idx
		for index in packed.cdx.gz packed.idx; do archive get --url http://a.test/plain.txt $index | cmp - pages/plain.txt; done
		python3 - $block <<'PY'
import gzip, hashlib, json, sys
data, lines, at = open("packed.cdx.gz", "rb").read(), open("plain.cdxj").read().splitlines(), 0
summary = open("packed.idx").read().splitlines()
assert json.loads(summary[0].split(" ", 2)[2]) == {"format": "cdxj-gzip-1.0", "filename": "packed.cdx.gz"}
for line in summary[1:]:
    key, stamp, text = line.split(" ", 2)
    block = json.loads(text)
    part = data[block["offset"]:block["offset"] + block["length"]]
    assert block["digest"] == "sha256:" + hashlib.sha256(part).hexdigest()
    got = gzip.decompress(part).decode().splitlines()
    assert got == lines[at:at + int(sys.argv[1])] and got[0].startswith(key + " " + stamp + " ")
    at += len(got)
assert at == len(lines)
PY
	done
	python3 - plain.warc <<'PY'
import re, sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"WARC/1.1", 9)
end = data.index(b"WARC/1.1", at + 9)
with open("many.warc", "wb") as out:
    for i in range(3001):
        out.write(re.sub(rb"(WARC-Record-ID: <urn:uuid:)[^>]*", rb"\g<1>00000000-0000-4000-8000-%012d" % i,
            re.sub(rb"(WARC-Target-URI: http://[^/]*)/[^\r]*", rb"\g<1>/%d" % i, data[at:end])))
PY
	archive wacz --to many.wacz many.warc
	archive check many.wacz >checked || cat checked
	judge many.wacz >findings || head -n 5 findings
	[ "$(archive list many.wacz | wc -l)" = 3003 ] || archive list many.wacz | tail -n 2
	says 2 "shall end in .cdx.gz" archive index --block 2 --to packed.cdxj plain.warc
	background "$lycosa" archive serve packed.cdx.gz ours.wacz Ours-*.warc.gz >served 2>errors
	servers="$servers $!"
	wait_for served listening || cat errors
	curl -s "http://127.0.0.1:$(sed 's/.*://' served)/" | grep -q http://www.b.test/same || cat errors
} >problem 2>&1
verdict "a packed index leads to the pages, and its summary to each of its members"

{
	if "$lycosa" crawl "http://127.0.0.1:$port/" --store z --warc z --warc-compress zstd --dry-run 2>&1 | grep -q "built without libzstd"; then
		echo "no libzstd" >skipped
	else
		"$lycosa" crawl http://a.test/ -H --connect-to "::127.0.0.1:$port" --store packed --warc packed --warc-compress zstd --delay 0 -q >summary 2>errors || cat errors
		"$lycosa" archive check packed-*.warc.zst packed-*.cdxj >checked || cat checked
		"$lycosa" archive list packed-*.warc.zst | cut -f 2-5 | sort >got
		"$lycosa" archive list Ours-*.warc.gz | cut -f 2-5 | sort | diff - got
		for from in packed-*.warc.zst packed-*.cdxj; do "$lycosa" archive get --url http://a.test/plain.txt "$from" | cmp - pages/plain.txt; done
		"$lycosa" store verify --store packed --warc packed >verified 2>&1 || cat verified
		says 2 "has no place in a WACZ file" "$lycosa" archive wacz --to no.wacz packed-*.warc.zst
		says 2 "takes WARC files of gzip" "$lycosa" crawl "http://127.0.0.1:$port/" --store no --wacz no.wacz --warc-compress zstd
		background "$lycosa" archive serve packed-*.warc.zst ours.wacz packed.cdx.gz >served 2>errors
		servers="$servers $!"
		wait_for served listening || cat errors
		curl -s "http://127.0.0.1:$(sed 's/.*://' served)/" | grep -q http://www.b.test/same || cat errors
	fi
} >problem 2>&1
verdict "an archive of zstd has what one of gzip has"
