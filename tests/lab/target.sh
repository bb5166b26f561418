#!/bin/sh
# A target of one's own in place of PageRank (--target): crawls are measured by it, the yardsticks know it, and a policy that
# asks sees the scores of crawled pages alone.
. "$(dirname "$0")/../tap.sh"
plan 8

"$lycosa" graph generate --nodes 600 --arcs-per-node 7 --rng-seed 4 --to edges --write-urls web.urls web.txt
# --- by PageRank's own scores nothing changes
"$lycosa" rank --graph web.txt --by pagerank --all -q | awk '!/^#/ && $1 != "id" { print $1 "\t" $2 }' >ranks
compare() { "$lycosa" compare --graph web.txt --seeds random:4 --draws 3 --policies opic,bfs,omniscient,ideal -q "$@" 2>>problem; }
compare | grep -v '^#' >by-rank && compare --target ranks >by-target && grep -q '^# target: ranks$' by-target &&
	grep -v '^#' by-target | awk -F '\t' 'NR == FNR { for (i = 1; i <= NF; i++) want[FNR, i] = $i; next }
		{ for (i = 1; i <= NF; i++) if ($i != want[FNR, i] && ($i - want[FNR, i]) ^ 2 > 1e-18) print FNR, i, $i, want[FNR, i] }' \
		by-rank - >problem
verdict "with the scores of PageRank the figures are those of PageRank"

"$lycosa" rank --graph web.txt --by harmonic --all -q | awk '!/^#/ && $1 != "id" { print $1 "\t" $2 }' >centrality
compare --target centrality | grep -v '^#' >by-file && compare --target harmonic >by-word && grep -q '^# target: harmonic$' by-word &&
	grep -v '^#' by-word | diff by-file - >problem && ! cmp -s by-file by-rank
verdict "harmonic centrality is a target by its name"

# --- by another target
awk '!/^#/ { print $2 }' web.txt | sort -n | uniq -c | awk '{ print $2 "\t" ($2 * 7919 % 613) }' >topic
compare --target topic >by-topic && ! cmp -s by-topic by-target &&
	[ "$("$lycosa" replay --graph web.txt --seeds random:4 --policy ideal --target topic --order - -q | head -n 1)" = \
		"$(sort -k 2,2nr -k 1,1n topic | head -n 1 | cut -f 1)" ]
result $? "with another target the page of the highest score is the hottest"
"$lycosa" compare --graph web.txt --seeds random:4 --draws 2 --policies opic,bfs --target topic --out out -q >/dev/null 2>problem &&
	"$lycosa" compare --from out/manifest.json >/dev/null 2>problem && grep -q 'the numbers are those of' problem &&
	printf '[global]\npolicies = opic, bfs\nseeds = random:4\ndraws = 2\n[web]\ngraph = web.txt\ntarget = topic\n' >job.ini &&
	"$lycosa" study job.ini --out studied -q 2>problem &&
	awk -F '\t' '$1 == "bfs" { print $8 }' out/results.tsv | grep -v '^$' | head -n 1 >want && [ -s want ] &&
	awk -F '\t' '$2 == "bfs" && $3 == 1 && $5 == "auc" { print $6 }' studied/values.tsv | cmp - want >problem
result $? "a manifest and a job file keep the target"

# --- a policy that follows the scores of crawled pages
cc=${TEST_CC:-cc}
if command -v "${cc%% *}" >/dev/null; then
	cat >follow.c <<'END'
/* Follow: pages that a page of a high score links to first. It aborts if it sees the score of a page that is not crawled. */
#include "frontier/policy.h"
#include <stdlib.h>

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const double score = view_score(c->view, u);

	(void)outdegree;
	for (size_t i = 0; i < n; i++) {
		if (!isnan(view_score(c->view, queued[i])))
			abort();
		if (score > c->page[queued[i]].key)
			c->page[queued[i]].key = score;
	}
}

static const struct policy follow = {.name = "follow",
	.summary = "pages that a page of a high score links to first",
	.source = "a test",
	.order = POLICY_HIGHEST_FIRST,
	.needs = POLICY_SEES_SCORES,
	.crawled = crawled};

const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &follow};
END
	# folders of ten pages that link to one another: half of them are about the topic
	awk 'BEGIN { for (u = 0; u < 600; u++) { f = int(u / 10)
		for (i = 0; i < 10; i++) print u "\t" f * 10 + i
		print u "\t" (f * 37 + u) % 60 * 10 } }' | sort -u >folders.txt
	awk 'BEGIN { for (u = 0; u < 600; u++) print u "\t" (int(u / 10) % 2 ? 1 + u % 10 : 0) }' >about
	$cc -std=gnu11 -O2 -ffp-contract=off -shared -fPIC "-I$top" -o follow.so follow.c 2>problem &&
		"$lycosa" compare --graph folders.txt --seeds random:3 --draws 5 --policies bfs,./follow.so --target about --at 0.2 -q >results 2>problem &&
		awk -F '\t' '!/^#/ && $9 == 0.2 { s[$1] += $6 } END { exit !(s["follow"] > s["bfs"]) }' results
	result $? "a policy that follows scores finds more of the target than breadth-first search"
	follow() { "$lycosa" replay --graph folders.txt --seeds random:3 --target about --policy ./follow.so -q --order "$@" >/dev/null 2>>problem; }
	follow replayed && follow virtual --politeness delay=0,parallel=1,latency=0,bandwidth=0 && diff replayed virtual >>problem
	result $? "in virtual time it sees the same scores"
	says 2 "the policy 'follow' goes by scores, and the graph has none; see --target" \
		"$lycosa" replay --graph web.txt --seeds random:2 --policy ./follow.so -q
	result $? "without a target it is refused"
else
	skip "a policy that follows scores finds more of the target than breadth-first search" "no compiler"
	skip "in virtual time it sees the same scores" "no compiler"
	skip "without a target it is refused" "no compiler"
fi

# bad TEXT LINE: says LINE for a target with TEXT
bad() {
	printf '%b' "$1" >bad && says 3 "$2" "$lycosa" replay --graph web.txt --seeds random:2 --policy bfs --target bad -q
}
bad '0\t-1\n' "the score of node 0 is not a number from 0 to 1e+290" &&
	bad '0\t1\n7\t1e308\n' "the score of node 7 is not a number from 0 to 1e+290" &&
	bad '0 x\n' "bad:1: 'id TAB score' is wanted" && bad '0\tnan\n' "bad:1: 'id TAB score' is wanted" &&
	bad '0\t1\n9999\t1\n' "bad:2: there is no node 9999 in the graph" &&
	bad '# none\n1\t0\n' "bad: no page has a score above 0" &&
	says 3 "cannot open 'gone'" "$lycosa" replay --graph web.txt --seeds random:2 --policy bfs --target gone -q
result $? "a bad target is told"
