#!/bin/sh
# The snapshot of the frontier in a store: a crawl that was stopped or killed goes on in the same order with it and without it.
. "$(dirname "$0")/../tap.sh"
plan 14

"$lycosa" graph generate --nodes 3000 --arcs-per-node 7 --rng-seed 8 --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls --faults 404=0.05,redirect=0.05
# crawl STORE PAGES [ARGUMENTS]: a crawl, by way of the command $via; one page at a time, so that the order is that of the policy
via=
crawl() {
	store=$1 pages=$2
	shift 2
	$via "$lycosa" crawl "$@" --store "$store" --max-pages "$pages" --total 1000 --connect-to "::127.0.0.1:$port" -H --delay 0 --parallel 1 \
		--order "$store.order" -v >"$store.summary" 2>"$store.talk"
}
first=$(head -n 1 web.urls)
knows() { grep -q "what is known of pages and traps is that of the snapshot" "$1.talk"; }
uses() { grep -q "the frontier is that of its snapshot" "$1.talk" && knows "$1" || { cat "$1.talk"; return 1; }; }
leaves() { grep -q "the snapshot of the frontier cannot be used: $2" "$1.talk" || { cat "$1.talk"; return 1; }; }

# as_one POLICY [ARGUMENTS]: in one sitting; in three, with snapshots; and with the last of the three without. What grows with the pages
# lies in a file of the store, from the first sitting of the three on.
as_one() {
	name=$(echo "$1" | tr ':,' '__') policy=$1
	shift
	crawl "$name-one" 300 "$first" --policy "$policy" --batch 25 "$@"
	crawl "$name" 90 "$first" --policy "$policy" --batch 25 --max-memory 1 "$@"
	grep -q "max-memory cannot be kept" "$name.talk" || cat "$name.talk"
	crawl "$name" 200 || cat "$name.talk"
	uses "$name"
	cp -r "$name" "$name-copy"
	crawl "$name" 300 || cat "$name.talk"
	uses "$name"
	crawl "$name-copy" 300
	leaves "$name-copy" "it is damaged, or of another file"
	cmp "$name-one.order" "$name.order"
	cmp "$name-one.order" "$name-copy.order"
	"$lycosa" store dump --store "$name-one" >want
	"$lycosa" store dump --store "$name" | cmp - want
	"$lycosa" store verify --store "$name" 2>&1 | grep -v 'is sound'
}
for policy in opic scout rankmass bfs:150,ieca; do
	as_one "$policy" >problem 2>&1
	verdict "$policy: a crawl of three sittings is one of one sitting, with snapshots and without"
done

# the log and the store say of each page which explorer has chosen it, in every sitting
{
	crawl told 150 "$first" --policy scout --log told.log
	crawl told 300 --log told.log
	jq -r 'select(.chosen_by) | "\(.chosen_by) \(.url)"' told.log >chosen
	[ "$(cut -d ' ' -f 1 chosen | sort -u | tr '\n' ' ')" = "chance clusters oldest " ] || cat chosen
	while read -r rule url; do
		"$lycosa" store explain --store told "$url" | grep -qx "# chosen_by: $rule" || echo "$url: not $rule"
	done <chosen
	"$lycosa" store explain --store told "$first" | grep chosen_by
	"$lycosa" store verify --store told 2>&1 | grep -v 'is sound'
} >problem 2>&1
verdict "the log and the store name the explorer that has chosen a page"

# rules that order: kept by the store, and the depths by which they go; other rules from one sitting on
printf '%s\n' 'last regex [13579]$' 'first depth 2' 'weight 3 regex [02]$' 'weight 0.2 regex 8$' >order.rules
{
	cp opic-one.order plain.order
	rm -rf opic opic-one opic-copy
	as_one opic --rules order.rules
	! cmp -s opic-one.order plain.order || echo "the rules change nothing"
	crawl ordered 100 "$first" --policy opic --batch 25
	cp -r ordered ordered-copy
	rm ordered-copy/frontier
	for store in ordered ordered-copy; do
		crawl $store 200 --rescope --rules order.rules
		crawl $store 300
	done
	uses ordered
	cmp ordered.order ordered-copy.order
} >problem 2>&1
verdict "rules that order pages do so in three sittings as in one, with snapshots and without"

# traps, aliases and budgets are what knowledge has beside the frontier
whole=$port seed=$first
serve --endless 7,hosts=60,rules=0,traps=0.6,moved=0.2
wait_for server.out popular
first=$(sed -n 's/.* is //p' server.out)
as_one ieca --max-per-host 40 --trap-opt duplicates=4 >problem 2>&1
verdict "a crawl of three sittings in a web of traps is one of one sitting, with snapshots and without"

{
	crawl other 100 "$first" --policy ieca
	crawl other 150 --rescope --trap-opt duplicates=4
	grep -q "the frontier is that of its snapshot" other.talk || cat other.talk
	! knows other || cat other.talk
	crawl other 200
	uses other
	crawl other-one 100 "$first" --policy ieca
	rm other-one/frontier
	crawl other-one 150 --rescope --trap-opt duplicates=4
	rm other-one/frontier
	crawl other-one 200
	cmp other-one.order other.order
} >problem 2>&1
verdict "what is known of traps comes from the whole log where the traps have other settings than those of the snapshot"
port=$whole first=$seed

kills=0
for i in 1 2 3 4 5; do
	crawl killed $((i * 50)) $([ $i = 1 ] && echo "$first" --policy partial-pagerank --batch 25 --max-memory 1)
	via="killed_at $((i * 13))"
	crawl killed 500 --log killed.log && kills=$((kills + 1))
	via=
done
crawl killed 500
crawl killed-one 500 "$first" --policy partial-pagerank --batch 25
{
	[ $kills = 5 ] || echo "killed $kills times only"
	cmp killed-one.order killed.order
	"$lycosa" store verify --store killed 2>&1 | grep -v 'is sound'
} >problem 2>&1
ls -A killed | grep -vx -e data.mdb -e lock.mdb -e frontier -e writer >left
verdict "killed at any time ($kills times), a crawl goes on in its order"
[ ! -s left ]
result $? "a crawl that was killed leaves no memory behind"

{
	crawl damaged 200 "$first" --policy opic
	size=$(wc -c <damaged/frontier)
	for at in 0 9 $((size / 2)) $((size - 1)); do
		# another byte there, whichever it is
		byte=$(($(od -An -tu1 -j "$at" -N 1 damaged/frontier) ^ 255))
		printf "\\$(printf %o "$byte")" | dd of=damaged/frontier bs=1 seek="$at" conv=notrunc 2>/dev/null
		crawl damaged 200
		leaves damaged "it is"
		crawl damaged 201
		uses damaged
	done
	# a part of a crawled page is 60 bytes and one of any page 21, if they are not packed; without libzstd no archive is zstd either
	pages=$("$lycosa" store info damaged | sed -n 's/^pages\t//p')
	if [ "$(wc -c <damaged/frontier)" -gt $((30 * pages)) ]; then
		crawl packed 1 "$first" --warc packed --warc-compress zstd 2>/dev/null && echo "a page of the snapshot takes 30 bytes"
	fi
	: >damaged/frontier
	crawl damaged 202
	leaves damaged "there is none"
	# of an earlier state of another store
	crawl elsewhere 150 "$first" --policy opic --rng-seed 9
	mv elsewhere/frontier damaged/frontier
	crawl damaged 203
	leaves damaged "it is of another log"
	crawl damaged 250
	crawl sound 250 "$first" --policy opic
	cmp damaged.order sound.order
} >problem 2>&1
verdict "a snapshot that is damaged or of another crawl is left aside"

{
	crawl swapped 200 "$first" --policy opic
	crawl swapped 300 --swap-policy backlink
	leaves swapped "it is of another policy"
	crawl swapped 400
	uses swapped
} >problem 2>&1
verdict "a snapshot is of one policy"

# a policy in a file: the key of a page is the number of links to it so far, less a constant
cat >own.c <<'END'
#include "frontier/policy.h"
static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	uint32_t *in = c->view->private_pages;
	(void)u, (void)outdegree;
	for (size_t i = 0; i < n; i++)
		c->page[queued[i]].key = ++in[queued[i]] - LESS;
}
static const struct policy own = {.name = "own", .summary = "most links first", .source = "none", .order = POLICY_HIGHEST_FIRST,
	.page_size = sizeof(uint32_t), .crawled = crawled};
const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &own};
END
cc=${TEST_CC:-cc}
build() { $cc -std=gnu11 -O2 -shared -fPIC "-I$top" -DLESS="$1" -o own.so own.c; }
if command -v "${cc%% *}" >/dev/null; then
	{
		build 5
		crawl own-one 300 "$first" --policy ./own.so
		crawl own 100 "$first" --policy ./own.so
		crawl own 200 --policy ./own.so
		uses own
		cp own.so again.so && mv again.so own.so # the same code, in another file
		crawl own 250 --policy ./own.so
		leaves own "it is damaged, or of another file, machine or build"
		crawl own 300 --policy ./own.so
		uses own
		cmp own-one.order own.order
	} >problem 2>&1
	verdict "a policy in a file has snapshots, which are left aside when the file is another one"
else
	skip "a policy in a file has snapshots, which are left aside when the file is another one" "no compiler"
fi

{
	crawl full 100 "$first" --policy opic
	rm full/frontier
	mkdir full/frontier
	crawl full 150 || echo "status $?"
	grep -q "no snapshot of the frontier is kept" full.talk || cat full.talk
	rmdir full/frontier
	crawl full 200 || echo "status $?"
	crawl full 250
	uses full
} >problem 2>&1
verdict "a crawl goes on where no snapshot can be written"
