#!/bin/sh
# What a policy sees: a policy that writes down all that it sees, URLs, hosts, finders, kinds and order, sees the same in
# a live crawl, in one that is killed and resumed, and in a replay of the store, in virtual time, too; and a policy that needs what a graph does
# not have is refused.
. "$(dirname "$0")/../tap.sh"
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
plan 10

cat >witness.c <<'END'
/* Writes what it sees of each page to the file of its option `to`. Orders pages by depth, then by the letters of their URLs, then
 * by the index and kind of the link. */
#include "frontier/policy.h"
#include <stdio.h>
#include <string.h>

struct witness {
	FILE *to;
};

static int init(const struct policy_call *c)
{
	struct witness *s = c->state;
	const char *path = opt_text(c->view->opts, "to");

	s->to = path ? fopen(path, "w") : NULL;
	return s->to ? 0 : err_set(c->why, ERR_USAGE, "the witness needs a file to write to");
}

static const char *url(const struct policy_call *c, uint32_t u)
{
	size_t n;
	const char *text = u == POLICY_NO_PAGE ? "-" : view_url(c->view, u, &n);

	return text ? text : "?";
}

static double value(const struct policy_call *c, uint32_t v)
{
	const struct policy_found *f = &c->view->found[v];
	unsigned letters = 0;

	for (const char *u = url(c, v); *u; u++)
		letters = letters * 31 + (unsigned char)*u;
	return f->depth + letters % 1000 / 1e3 + f->link % 7 / 1e4 + f->kind / 1e7;
}

static void see(const struct policy_call *c, const char *what, uint32_t v)
{
	size_t n;
	const char *anchor = view_anchor(c->view, v, &n);
	const struct witness *s = c->state;
	const struct policy_view *view = c->view;
	const struct policy_found *f = &view->found[v];

	fprintf(s->to, "%s %s %u %u %u %u", what, url(c, v), f->link, f->when, f->depth, f->kind);
	fprintf(s->to, " [%s]", anchor && strlen(anchor) == n ? anchor : "-");
	fprintf(s->to, " %s %s\n", url(c, f->finder),
		f->finder == POLICY_NO_PAGE ? "-" : view->host[f->finder] == view->host[v] ? "same" : "other");
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		see(c, "seed", seeds[i]);
		c->page[seeds[i]].key = value(c, seeds[i]);
	}
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const struct witness *s = c->state;

	(void)outdegree;
	see(c, c->view->order[c->view->crawled - 1] == u ? "crawled" : "crawled out of order", u);
	for (size_t i = 0; i < n; i++)
		if (view_is_new(c->view, c->page, queued[i])) {
			see(c, " found", queued[i]);
			c->page[queued[i]].key = value(c, queued[i]);
		}
	if (c->view->crawled % 50 == 0)
		for (uint64_t i = 0; i < c->view->crawled; i++)
			fprintf(s->to, "order %s\n", url(c, c->view->order[i]));
}

static void missed(const struct policy_call *c, uint32_t u)
{
	see(c, "missed", u);
}

static void redirected(const struct policy_call *c, uint32_t u, uint32_t target)
{
	see(c, "redirected", u);
	see(c, "to", target);
}

static void done(const struct policy_call *c)
{
	fclose(((struct witness *)c->state)->to);
}

static const struct opt opts[] = {
	{"to", OPT_TEXT, 0, 0, 0, NULL, "a file"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

static const struct policy witness = {
	.name = "witness",
	.summary = "writes down what it sees",
	.source = "a test",
	.order = POLICY_LOWEST_FIRST,
	.needs = NEEDS,
	.state_size = sizeof(struct witness),
	.opts = opts,
	.init = init,
	.seed = seed,
	.crawled = crawled,
	.missed = missed,
	.redirected = redirected,
	.done = done,
};

const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &witness};
END
build() { $cc -std=gnu11 -O2 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC "-I$top" "$@" witness.c 2>>problem; }
no_kinds='POLICY_SEES_FINDERS | POLICY_SEES_ORDER | POLICY_SEES_HOSTS | POLICY_SEES_URLS'
build -o witness.so "-DNEEDS=($no_kinds | POLICY_SEES_KINDS | POLICY_SEES_ANCHORS)" && build -o witness-graph.so "-DNEEDS=($no_kinds)"
result $? "the witness is compiled"

# --- pages with links of several kinds, under two hosts
mkdir pages
page() { echo "$1	$2" >>pages/index.tsv; cat >"pages/$1"; }
page a.html http://a.test/ <<'END'
<a href="/b">to <b>page</b>
&quot;b&quot;</a> <iframe src="/frame"></iframe> <a href="/low" rel="nofollow">low</a> <a href="http://b.test/">other</a>
<map><area href="/area"></map> <a href="/gone"><img src="/x.png"></a> <a href="/b">again</a>
END
page b.html http://a.test/b <<'END'
<a href="/low">low</a> <a href="/">back</a> <a href="/area">area</a> <a href="http://b.test/deep">deep</a>
END
page frame.html http://a.test/frame <<'END'
<a href="/under-frame">x</a>
END
page low.html http://a.test/low <<'END'
<a href="/b">b</a>
END
page area.html http://a.test/area <<'END'
<a href="http://b.test/deep" rel="nofollow">deep</a>
END
page under.html http://a.test/under-frame <<'END'
leaf
END
page other.html http://b.test/ <<'END'
<a href="http://b.test/deep">deep</a> <a href="http://a.test/">a</a>
END
page deep.html http://b.test/deep <<'END'
<a href="http://b.test/">b</a>
END
serve --pages pages
# crawl STORE FLAG...: writes what the witness sees to STORE.seen
crawl() {
	store=$1
	shift
	"$lycosa" crawl --policy ./witness.so --policy-opt to="$PWD/$store.seen" --store "$store" -H --connect-to "::127.0.0.1:$port" \
		--delay 0 --parallel 1 --no-sandbox --keep-anchors -q "$@" >/dev/null 2>>problem
}
# replay STORE FLAG...: writes what the witness sees to replay.seen
replay() {
	"$lycosa" replay --graph "$@" --seeds seeds --policy ./witness.so --policy-opt to=replay.seen --order ids >/dev/null 2>>problem
}
alone=delay=0,parallel=1,latency=0,bandwidth=0
crawl kinds http://a.test/ --heed none && cat >want <<'END'
 found http://a.test/area 4 1 1 1 [] http://a.test/ same
 found http://a.test/b 0 1 1 0 [to page "b"] http://a.test/ same
 found http://a.test/frame 1 1 1 2 [] http://a.test/ same
 found http://a.test/gone 5 1 1 0 [] http://a.test/ same
 found http://a.test/low 2 1 1 128 [low] http://a.test/ same
 found http://b.test/ 3 1 1 0 [other] http://a.test/ other
seed http://a.test/ 0 0 0 0 [-] - -
END
grep -E '^seed| http://a.test/ (same|other)$' kinds.seen | grep -v '^crawled\|^missed' | LC_ALL=C sort | diff - want >>problem
"$lycosa" export --store kinds --links 2>>problem | grep '^0,http://a.test/,' | cut -d, -f5,8 | grep -q '^1,"to page ""b"""' || echo "export" >>problem
verdict "a policy sees finders, places, times, depths, and kinds and anchor texts of links"
grep -q '^missed http://a.test/gone 5 1 1 0 \[\] http://a.test/ same$' kinds.seen && ! grep -q 'out of order' kinds.seen &&
	awk '$1 == "found" || $1 == "seed" { met[$2] = 1 } /^crawled|^missed/ && !($2 in met) { print } /^crawled/ { met[$2] = 1 }' \
		kinds.seen >problem && [ ! -s problem ]
result $? "a page is found before it is crawled, and a failed page keeps what is known of it"
echo http://a.test/ >seeds
replay kinds && diff kinds.seen replay.seen >problem
result $? "a replay of the store shows the same"
replay kinds --politeness $alone && diff kinds.seen replay.seen >problem
result $? "a replay of the store in virtual time shows the same"

# --- a larger web on many hosts, with failures and redirects
"$lycosa" graph generate --nodes 900 --arcs-per-node 6 --rng-seed 7 --to edges --write-urls web.urls web.txt
sed -n '6p;1p' web.urls >seeds
serve --graph web.txt --faults 404=0.1,seed=5,slow=0.2:5ms
crawl whole --seeds seeds && [ "$(grep -c '^crawled' whole.seen)" -gt 300 ] && grep -q '^missed' whole.seen
result $? "a larger web is crawled"
replay whole && diff whole.seen replay.seen >problem
result $? "a replay of its store shows the same"
replay whole --politeness $alone && diff whole.seen replay.seen >problem
result $? "a replay of its store in virtual time shows the same"
serve --graph web.txt --faults 404=0.1,redirect=0.1,seed=5,slow=0.2:5ms --log requests.log
crawl moved --seeds seeds
has_requests() { [ "$(wc -l <requests.log)" -ge "$1" ]; }
for i in 1 2 3; do
	background "$lycosa" crawl --seeds seeds --policy ./witness.so --policy-opt to="$PWD/broken.seen" --store broken -H \
		--connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --no-sandbox --keep-anchors -q >/dev/null 2>&1
	pid=$!
	wait_until $pid has_requests $(($(wc -l <requests.log) + 60 * i))
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
done
crawl broken --seeds seeds --max-pages 200
crawl broken --seeds seeds --no-max-pages && [ "$(grep -c "^redirected" moved.seen)" -gt 10 ] && diff moved.seen broken.seen >problem
result $? "a crawl with redirects that was killed and resumed shows the same as one that was not"

# --- what a graph does not have
"$lycosa" graph generate --nodes 900 --arcs-per-node 6 --rng-seed 7 --to edges bare.txt
says 2 "the policy 'witness' needs the anchor texts of links, which --keep-anchors keeps" "$lycosa" crawl http://a.test/ --store without \
	--policy ./witness.so --policy-opt to=none --connect-to "::127.0.0.1:$port" --no-sandbox -q &&
	says 2 "the policy 'witness' goes by kinds of links, and the graph has none" \
	"$lycosa" replay --graph web.txt --seeds random:2 --policy ./witness.so --policy-opt to=none -q &&
	says 2 "the policy 'witness' goes by hosts, and the graph has none" \
		"$lycosa" replay --graph bare.txt --seeds random:2 --policy ./witness-graph.so --policy-opt to=none -q &&
	"$lycosa" replay --graph web.txt --seeds random:2 --policy ./witness-graph.so --policy-opt to=graph.seen -q >/dev/null 2>problem &&
	[ "$(grep -c '^crawled' graph.seen)" -gt 300 ] && "$lycosa" list policies ./witness.so 2>>problem | grep -q '^# needs: hosts, URLs, kinds of links, anchor texts$'
result $? "what a graph does not have is told in a sentence"
