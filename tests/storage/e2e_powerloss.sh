#!/bin/sh
# Power failures in the middle of a crawl, simulated: what its disk holds then (tests/powerloss/) is a store
# that is as one of its commits left it, none before the last that had returned; the same command goes on
# to the end, and then archive and log have every page that the store has, none of which was asked for twice
# that was committed.
. "$(dirname "$0")/../tap.sh"
images=${POWERLOSS_IMAGES:-21}

! grep -q -e '__[at]san_init' "$lycosa" || skip_all "a sanitizer must be loaded before the recorder"
${TEST_CC:-cc} -O1 -shared -fPIC -I"$top" -o recorder.so "$top/tests/powerloss/recorder.c" -ldl -lpthread 2>problem ||
	skip_all "the recorder cannot be built"
powerloss=$build/tests/powerloss/powerloss
plan 6

"$lycosa" graph generate --nodes 400 --arcs-per-node 6 --rng-seed 5 --to edges --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls --faults 404=0.05,redirect=0.05,slow=0.4:30ms
head -n 20 web.urls >seeds.txt

# crawl FOLDER ARGUMENTS: its store, archive and log lie in the folder
crawl() {
	folder=$1
	shift
	"$@" "$lycosa" crawl --seeds seeds.txt --store "$folder/store" --warc "$folder/warc" --log "$folder/log" -H \
		--connect-to "::127.0.0.1:$port" --delay 0 --parallel 6 --per-host 6 -q >summary 2>errors
}

# dump FOLDER: pages and links of its store
dump() {
	"$lycosa" store dump --store "$1/store"
}

mkdir disk
crawl disk env LD_PRELOAD="$work/recorder.so" POWERLOSS_FOLDER="$work/disk" POWERLOSS_TRACE="$work/trace" || cat errors >problem
commits=$("$powerloss" commits trace)
[ "$commits" -ge 3 ] || echo "only $commits commits" >>problem
verdict "a crawl is recorded, with several commits"
dump disk >whole

"$powerloss" commit trace again "$commits"
for f in disk/store/data.mdb disk/log disk/warc-*.warc.gz; do
	cmp "$f" "again/${f#disk/}" >>problem 2>&1
done
verdict "the trace gives its files again"

# snapshot K: the digest of what commit K left
snapshot() {
	if [ ! -e "snapshot.$1" ]; then
		rm -rf snapshot
		mkdir snapshot
		[ "$1" = 0 ] || "$powerloss" commit trace snapshot "$1"
		dump snapshot 2>snapshot.errors | cksum >"snapshot.$1"
	fi
	cat "snapshot.$1"
}

# one_of_commits FIRST: whether `before` is what that commit left, or a later one
one_of_commits() {
	is=$(cksum <before)
	k=$1
	while [ "$k" -le $(($1 + 2)) ] && [ "$k" -le "$commits" ]; do
		[ "$is" != "$(snapshot "$k")" ] || return 0
		k=$((k + 1))
	done
	return 1
}

# compare FOLDER: the store's pages with those of the archive and of the log
compare() {
	dump "$1" | awk -F '\t' 'NF == 3 && $2 == 200' | sort >stored
	"$build/tests/archive/warc_bodies" "$1"/warc-*.warc.gz | awk -F '\t' '$2 == 200 && $1 !~ /\/robots.txt$/' |
		sort -u >archived
	diff stored archived >missing.warc || echo "archive: $(head -n 3 missing.warc | tr '\n' ' ')"
	cut -f 1 stored | LC_ALL=C sort >urls
	sed -n 's/^{.*"event":"crawled","url":"\([^"]*\)".*}$/\1/p' "$1/log" | LC_ALL=C sort -u |
		LC_ALL=C comm -13 - urls >missing.log
	[ ! -s missing.log ] || echo "log: $(head -n 3 missing.log | tr '\n' ' ')"
}

: >opens
: >states
: >goes_on
: >everywhere
for image in $(seq "$images"); do
	rm -rf image
	mkdir image
	at=$("$powerloss" image trace image "$image")
	least=${at%% *}
	if [ -e image/store/data.mdb ]; then
		"$lycosa" store verify --store image/store >verified 2>&1 ||
			[ "$least" = 0 ] || echo "image $image ($at): $(head -n 2 verified)" >>opens
	else
		[ "$least" -le 1 ] || echo "image $image ($at): no store" >>opens # the first makes an empty one
	fi
	dump image >before 2>before.errors
	one_of_commits "$least" || echo "image $image ($at)" >>states
	crawl image env || echo "image $image ($at): $(cat errors)" >>goes_on
	dump image | diff whole - >difference || echo "image $image ($at): $(head -n 3 difference)" >>goes_on
	compare image >found 2>&1
	[ ! -s found ] || echo "image $image ($at): $(cat found)" >>everywhere
done
cp opens problem
verdict "$images power failures: the store opens, and is sound"
cp states problem
verdict "it is as a commit left it, and no commit is lost that had returned"
cp goes_on problem
verdict "the same command goes on, to the pages of an undisturbed crawl"
cp everywhere problem
verdict "archive and log have every page of the store"
