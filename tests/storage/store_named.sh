#!/bin/sh
# A store may come from anywhere: what it names is not run, and its folder of --mirror is not written, unless this command names it, too.
. "$(dirname "$0")/../tap.sh"
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
plan 7

# a policy whose file leaves a mark as soon as it is loaded
cat >own.c <<'EOC'
#include "frontier/policy.h"
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void mark(void)
{
	close(open(MARK, O_WRONLY | O_CREAT, 0600));
}

static const struct opt options[] = {{"to", OPT_TEXT, 0, 0, 0, NULL, "a file"}, {NULL, OPT_TEXT, 0, 0, 0, NULL, NULL}};
static const struct policy own = {.name = "own", .summary = "in order of discovery", .source = "a test", .order = POLICY_LOWEST_FIRST,
	.opts = options};
const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &own};
EOC
$cc -std=gnu11 -shared -fPIC "-I$top" "-DMARK=\"$work/loaded\"" -o own.so own.c 2>problem

"$lycosa" graph generate -q --nodes 60 --arcs-per-node 6 --write-urls web.urls web.txt
serve --graph web.txt
# crawl STORE FLAG...
crawl() {
	store=$1
	shift
	"$lycosa" crawl --store "$store" "$@" -H --connect-to "::127.0.0.1:$port" --delay 0 -q >out 2>>problem
}
first=$(head -n 1 web.urls)
crawl own "$first" --policy ./own.so --max-pages 20 && [ -e loaded ] || echo "the policy was not loaded" >>problem
crawl chain "$first" --policy bfs:5,./own.so --max-pages 20
crawl texts "$first" --policy ./own.so --policy-opt "to=$work/text" --max-pages 20
crawl other "$first" --policy bfs --max-pages 20
rm -f loaded
verdict "crawls are begun by a policy in a file"

# looks COMMAND...: the command ends well, and has not loaded the policy
looks() {
	"$lycosa" "$@" >out 2>errors || { echo "$*:" && cat errors; } >>problem
	[ ! -e loaded ] || { echo "$* loads it" && rm loaded; } >>problem
}
printf '0\n' >seeds
for store in own chain; do
	for verb in info dump verify; do
		looks store $verb $store
	done
	looks store explain $store "$first"
	looks store diff $store other
	looks store merge $store other --into both.$store
	looks store compact $store
	looks export --store $store --pages --to csv -
	looks graph info --graph $store
	looks rank --graph $store --by pagerank
	looks replay --graph $store --seeds seeds --policy bfs
	looks compare --graph $store --seeds seeds --policies bfs,opic
	looks seeds --graph $store --method hits --count 2
	looks coverage --graph $store --seeds seeds --hops 1
	looks crawl --store $store --print-config
done
verdict "no verb that reads the store loads it"

for store in own chain; do
	says 2 "whose code is not run to look" "$lycosa" view $store --listen 0
	for flag in --dry-run -v --rescope --keep --retry-failed; do
		says 2 "goes by --policy '.*$work/own.so', which is only used when this command names it" "$lycosa" crawl --store $store $flag
	done
	[ ! -e loaded ] || echo "it was loaded" >>problem
done
verdict "to look at the crawl, and to go on without naming it, is refused, with the flag to give"

crawl own --policy ./own.so --no-max-pages && [ -e loaded ] && crawl chain --policy bfs:5,./own.so --no-max-pages
verdict "named, it goes on"

says 2 "goes by --policy-opt 'to=$work/text', which is only used when this command names it" "$lycosa" crawl --store texts --policy ./own.so
crawl texts --policy ./own.so --policy-opt "to=$work/text" --no-max-pages
verdict "a text for it, which may name a file, is to be given again, too"

crawl mirrored "$first" --policy bfs --max-pages 10 --mirror files
[ -d files ] && rm -rf files
says 0 "left out, since only the store 'mirrored' asks for them, .*: --mirror $work/files;" \
	"$lycosa" crawl --store mirrored --connect-to "::127.0.0.1:$port" --max-pages 20 -q
[ ! -e files ] || echo "the folder was written" >>problem
verdict "a folder of a mirror is not written unless it is named"
crawl mirrored --mirror files --no-max-pages
[ "$(find files -name '*.html' | wc -l)" = "$("$lycosa" store info mirrored | awk '$1 == "crawled" { print $2 }')" ] || find files >>problem
verdict "named, it has all pages"
