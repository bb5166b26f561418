#!/bin/sh
# A file that takes the place of another has all of its bytes on the disk before it gets the name, and the name is on the disk when
# the command is done, so that no power failure leaves half a file: exports, a compacted store, the seeds that a crawl renews,
# the index of its archive.
. "$(dirname "$0")/../tap.sh"

! grep -q -e '__[at]san_init' "$lycosa" || skip_all "a sanitizer must be loaded before the recorder"
${TEST_CC:-cc} -O1 -shared -fPIC -I"$top" -o recorder.so "$top/tests/powerloss/recorder.c" -ldl -lpthread 2>problem ||
	skip_all "the recorder cannot be built"
powerloss=$build/tests/powerloss/powerloss
plan 4

"$lycosa" graph generate --nodes 60 --arcs-per-node 4 --rng-seed 5 --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls
head -n 3 web.urls >seeds.txt
mkdir disk

# recorded COMMAND...: the names that it gave to files of the folder `disk`, in `names`
recorded() {
	rm -f trace
	LD_PRELOAD="$work/recorder.so" POWERLOSS_FOLDER="$work/disk" POWERLOSS_TRACE="$work/trace" "$@" >out 2>errors || cat errors >>problem
	"$powerloss" names trace >names
}

# outlasts PATTERN: the last name of a file that fits is that of a whole file, and on the disk
outlasts() {
	grep -E "^$1	" names | tail -n 1 | grep -q '	whole	lasts$' || { echo "$1:"; cat names; } >>problem
}

recorded "$lycosa" crawl --seeds seeds.txt --store disk/store --warc disk/warc --seeds-out disk/next.seeds --seeds-every 20 -H \
	--connect-to "::127.0.0.1:$port" --delay 0 --per-host 8 -q
outlasts store/data.mdb
outlasts 'warc-[0-9-]*.cdxj'
[ -s disk/next.seeds ] || echo "there are no seeds" >>problem
verdict "the store and the index of the archive of a crawl"
outlasts next.seeds
verdict "the seeds that a crawl renews"

for form in csv jsonl sqlite; do
	echo former >disk/pages
	recorded "$lycosa" export --store disk/store --pages --to $form disk/pages
	outlasts pages
done
verdict "an export in each form"

recorded "$lycosa" store compact --store disk/store
grep -q '^store/data.mdb	' names || echo "the file has no new name" >>problem
outlasts store/data.mdb
verdict "a compacted store"
