#!/bin/sh
# An archive of a crawl: every answer is in it, and read back it gives the stored pages.
. "$(dirname "$0")/../tap.sh"
plan 11

"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 5 --to edges --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls
seed=$(head -n 1 web.urls)

# crawl STORE ARGUMENTS
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$seed" --store "$store" -H --connect-to "::127.0.0.1:$port" --delay 0 -q \
		"$@" >summary 2>errors
	status=$?
}

# pages STORE: those that came, as the archive and as the store have them
pages() {
	"$build/tests/archive/warc_bodies" "$1"-*.warc.gz | grep -v /robots.txt | awk -F '\t' '$2 == 200' |
		sort -u >archived
	"$lycosa" store dump --store "$1" | awk -F '\t' 'NF == 3 && $2 == 200' | sort >stored
}

crawl whole --warc whole
pages whole
{
	[ $status = 0 ] || cat errors
	[ "$(wc -l <stored)" -gt 100 ] || echo "few pages"
	diff stored archived | head
	"$build/tests/archive/warc_bodies" whole-*.warc.gz | grep -q '/robots.txt	404' || echo "no robots.txt"
	[ "$(ls whole-*.warc.gz | wc -l)" = 1 ] && [ "$(ls whole-*.cdxj | wc -l)" = 1 ] || ls
	[ "$(cat whole-*.cdxj | wc -l)" = "$("$build/tests/archive/warc_bodies" whole-*.warc.gz | wc -l)" ] ||
		echo "the index has other lines"
	sort -c whole-*.cdxj
} >problem 2>&1
verdict "the archive read back gives the stored pages"

crawl rolled --warc rolled --warc-size 20K
pages rolled
{
	[ $status = 0 ] || cat errors
	diff stored archived | head
	[ "$(ls rolled-*.warc.gz | wc -l)" -gt 5 ] || ls
} >problem 2>&1
verdict "files are rolled by their size"

# missing: the URLs that verify says are not in the archive
missing() {
	"$lycosa" store verify --store "$1" --warc "$2" >verified 2>errors
	status=$?
	sed -n 's/^W[23]: .*archive: //p' verified | LC_ALL=C sort >missing
}

{
	for archive in whole rolled; do
		missing $archive $archive
		[ $status = 0 ] && [ ! -s verified ] && grep -q 'its archive has all of it' errors || cat verified errors
	done
	missing whole nothing
	[ $status = 3 ] && grep -q "there is no file 'nothing-" errors || cat errors
} >problem 2>&1
verdict "verify reads an archive, and finds all of the store in it"

# a file is lost, and a bit of another turns
mkdir lost
mv "$(ls rolled-*-00002.warc.gz)" lost/
turned=$(ls rolled-*-00004.warc.gz)
cp "$turned" lost/was
middle=$(($(wc -c <"$turned") / 2))
byte=$(od -An -tu1 -j $middle -N 1 "$turned" | tr -d ' ')
printf "\\$(printf %o $((byte ^ 4)))" | dd of="$turned" bs=1 seek=$middle conv=notrunc 2>/dev/null
missing rolled rolled
{
	[ $status = 18 ] || { echo "status $status"; cat errors; }
	[ "$(grep -c '^W1: rolled-.*-00004.warc.gz: bytes .* are no record$' verified)" = 1 ] || cat verified
	{
		"$build/tests/archive/warc_bodies" lost/*.warc.gz
		"$build/tests/archive/warc_bodies" lost/was | grep -F "$(sed 's/.*/&	/' missing)"
	} | awk '$1 !~ /robots.txt/ { print $1 }' | LC_ALL=C sort -u | LC_ALL=C comm -3 - missing
	grep -c . missing >count
	[ "$(cat count)" -gt 1 ] || echo "$(cat count) are missing"
} >problem 2>&1
verdict "verify names what a lost file and a flipped bit took from the archive"

cp "$turned" lost/turned
"$lycosa" crawl --seeds missing --store again --max-depth 0 --warc rolled --connect-to "::127.0.0.1:$port" --delay 0 -q >summary 2>errors
again=$?
missing rolled rolled
{
	[ $again = 0 ] || cat errors
	[ ! -s missing ] || cat missing
	mv lost/was "$turned"
	missing rolled rolled
	[ $status = 0 ] || cat verified
	rm rolled-*
} >problem 2>&1
verdict "a crawl of what is missing alone brings it into the archive again"

# interrupted, in several sittings, by force
for i in 1 2 3; do
	crawl parts --warc parts --max-pages $((60 * i)) --total 300 --batch 10
done
killed_at 50 "$lycosa" crawl --store parts --delay 0 -H --connect-to "::127.0.0.1:$port" -q --warc parts --max-pages 100000 >/dev/null 2>&1 ||
	echo "it was over" >problem
crawl parts --warc parts --max-pages 100000
pages parts
{
	[ $status = 0 ] || cat errors
	diff stored archived | head
	[ "$(ls parts-*.warc.gz | wc -l)" = 5 ] || ls
} >>problem 2>&1
verdict "sittings have files of their own, and a killed one leaves whole records"

kill "$server" && wait "$server" 2>/dev/null
serve --graph web.txt --urls web.urls --faults 404=0.05,500=0.05,redirect=0.1,truncate=0.05,drop=0.05,gzip=0.3
crawl faults --warc faults --tries 1
pages faults
{
	[ $status = 0 ] || cat errors
	missing faults faults
	cat missing
	diff stored archived | head
} >problem 2>&1
verdict "faults are archived as they came"

printf '%s basic me:secret-word\n' "${seed%/*}" >auth
crawl secret --warc secret --auth auth --max-pages 5
{
	[ $status = 0 ] || cat errors
	for f in secret-*.warc.gz; do gzip -dc "$f"; done | grep -ai -e 'authorization' -e secret-word -e bWU6
} >problem 2>&1
verdict "credentials are left out"

crawl none --warc /nonexistent/x
{
	[ ! -e none ] || echo "a store was made"
	[ $status = 3 ] && [ "$(wc -l <errors)" = 1 ] && grep -q /nonexistent/x errors || cat errors
	crawl none --warc "$(printf 'x\nWARC-Type: response')"
	[ $status = 2 ] && [ ! -e none ] && grep -q 'control character' errors || cat errors
} >problem 2>&1
verdict "an archive that cannot be made is said"

# pages that do not pack, so that the archive is full long before the store
kill "$server" && wait "$server" 2>/dev/null
mkdir pages
for i in $(seq 60); do
	echo "<a href=/$i>$i</a>" >>pages/index.html
	head -c 60000 /dev/urandom >"pages/$i"
	printf '%s\thttp://big.test/%s\n' "$i" "$i" >>pages/index.tsv
done
printf 'index.html\thttp://big.test/\n' >>pages/index.tsv
serve --pages pages
seed=http://big.test/
(
	trap '' XFSZ
	[ -z "${BASH_VERSION:-}" ] || set -o posix # blocks of 512 bytes there, too
	ulimit -f 4000
	crawl full --warc full --parallel 4 --per-host 4 --no-sandbox # the memory of a jail counts as a file
	exit $status
)
was=$?
cp errors full.errors
crawl full --warc full --parallel 4 --per-host 4 --progress none
pages full
{
	[ $was = 3 ] && grep -q "cannot write 'full-[0-9]*-00000.warc.gz'.*; the archive ends there" full.errors ||
		cat full.errors
	cat errors
	[ "$(wc -l <stored)" = 61 ] || wc -l stored
	diff stored archived | head
	[ "$(ls full-*.warc.gz | wc -l)" = "$(ls full-*.cdxj | wc -l)" ] || ls
} >problem 2>&1
verdict "an archive that is full is said, and the crawl goes on without loss"

# as killed in the middle: the index goes, the last record is cut
for f in full-*.cdxj; do
	cp "$f" "$f.was"
	rm "$f"
	printf '\037\213\010cut' >>"${f%.cdxj}.warc.gz"
done
crawl other --warc full --max-pages 1 --no-robots
{
	[ $status = 0 ] || cat errors
	for f in full-*.cdxj.was; do cmp "$f" "${f%.was}"; done
	"$build/tests/archive/warc_bodies" full-*.warc.gz >/dev/null
} >problem 2>&1
verdict "what a kill left is mended to what it was"
