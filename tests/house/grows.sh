#!/bin/sh
# The house grows as HACKING.md says: a further policy, a further column of `lycosa compare` and a further setting of a crawl need the lines
# that HACKING.md names and no other. A policy that draws, and a flag that the fetcher reads, are added to copies of the files, which are
# linked in place of those of this build with its tests and its program.
. "$(dirname "$0")/../tap.sh"
link=${TEST_LINK:-}
libs=${TEST_LIBS:-}
[ -n "$link" ] || skip_all "no flags of a build: run it by make check TESTS=tests/house/grows.sh"
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
needs make
programs="policies/test_policies lab/test_lab lab/test_fates policies/test_policy_orders policies/test_swap policies/test_server
frontier/test_frontier"
plan $((7 + $(echo "$programs" | wc -w)))

# --- the lines that HACKING.md names
mkdir -p tree/policies tree/cli/lab
cat >tree/policies/wander.c <<'EOF'
/* Wander: draws among the queued pages, and goes on from the page crawled last with some probability. */
#include "base/rng.h"
#include "policies/policies.h"

struct wander {
	struct rng rng;
	double share;
	uint32_t turn;
};

static int init(const struct policy_call *c)
{
	struct wander *s = c->state;

	s->rng.state = c->view->rng_seed;
	s->share = opt_number(c->view->opts, "share");
	return 0;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct wander *s = c->state;

	(void)u, (void)outdegree;
	s->turn++;
	for (size_t i = 0; i < n; i++)
		if (view_is_new(c->view, c->page, queued[i]) || rng_unit(&s->rng) < s->share)
			c->page[queued[i]].key = s->turn * rng_unit(&s->rng);
}

static const struct opt opts[] = {
	{"share", OPT_REAL, 0.85, 0, 1, NULL, "how often a link leads on"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_wander = {
	.name = "wander",
	.summary = "a walk at random",
	.source = "tests/house/grows.sh",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(struct wander),
	.opts = opts,
	.init = init,
	.crawled = crawled,
};
EOF
sed 's/^\(	policy_[a-z_, ]*\);$/\1, policy_wander;/' "$top/policies/policies.h" >tree/policies/policies.h
sed 's/^	NULL,$/	\&policy_wander,\n&/' "$top/policies/table.c" >tree/policies/table.c
sed 's/^	COLUMN("lift".*/&\n	COLUMN("twice", 1, real, 2 * p->strict) \\/' "$top/cli/lab/experiment_print.c" >tree/cli/lab/experiment_print.c
for file in policies/policies.h policies/table.c cli/lab/experiment_print.c; do
	diff "$top/$file" "tree/$file" >change
	[ "$(grep -c '^>' change)" = 1 ] || { echo "$file:"; cat change; } >>problem
done
verdict "a policy is a file and a line each in table.c and policies.h, a column is a line in experiment_print.c"

# --- compiled and linked
for source in policies/wander policies/table cli/lab/experiment_print; do
	eval "$link" -w -I"'$work/tree'" -I"'$top'" -I"'$build'" -DHAVE_CONFIG_H -c -o "$(basename $source).o" "tree/$source.c" 2>>problem
done
# built NAME OBJECT...: a program of this build with the objects in place of those of its libraries
built() {
	name=$1
	shift
	(cd "$build" && eval "$link" -o "'$work/$name'" "$@" "'$work/wander.o'" "'$work/table.o'" "$libs") 2>>problem
}
built lycosa cli/main.o cli/malloc.o "'$work/experiment_print.o'"
for program in $programs; do
	objects=$(cd "$build" && make -s --no-print-directory -f - objects <<EOF
include Makefile
objects:
	@echo \$(tests_$(echo "$program" | tr / _)_OBJECTS) \$(CMOCKA_LIBS)
EOF
	)
	built "${program#*/}" "$objects"
done
verdict "they compile, and link with this build"

# --- a setting: a row of the table, a use of its field, and a line of the man page
mkdir -p setting/base setting/fetch setting/doc/man
sed 's/^FETCH(EACH, header,.*/&\
FETCH(TEXT, referer, NULL, "referer", 0, "URL", "where each request says that it comes from", .keeping = FLAG_FREE)/' \
	"$top/base/settings.h" >setting/base/settings.h
sed 's/^	curl_easy_setopt(t->easy, CURLOPT_PATH_AS_IS.*/&\
	curl_easy_setopt(t->easy, CURLOPT_REFERER, o->set.referer);/' "$top/fetch/transfer.c" >setting/fetch/transfer.c
sed 's/^\.It Fl Fl header Ar LINE$/.It Fl Fl referer Ar URL\
where each request says that it comes from\
&/' "$top/doc/man/lycosa-crawl.1" >setting/doc/man/lycosa-crawl.1
for file in base/settings.h fetch/transfer.c doc/man/lycosa-crawl.1; do
	diff "$top/$file" "setting/$file" >change
	[ "$(grep -c '^[<>]' change)" -le 2 ] && grep -q '^>' change || { echo "$file:"; cat change; } >>problem
done
# what reads the table is compiled anew, each with its object's name in `objects`
# (make has kept what each object of the build was compiled from)
(cd "$build" && find . -path ./tests -prune -o -name '*.Po' -exec grep -l 'base/settings\.h' {} + | sed 's#^\./##; s#/\.deps/#/#; s#\.Po$##' |
	LC_ALL=C sort) >sources
[ -s sources ] || echo "no file reads base/settings.h" >>problem
while read -r source; do
	object=$(echo "$source" | tr / _).o
	from=$top
	[ -e "setting/$source.c" ] && from=setting
	eval "$link" -w -I"'$work/setting'" -I"'$top'" -I"'$build'" -DHAVE_CONFIG_H -O0 -c -o "$object" "'$from/$source.c'" 2>>problem
	printf "'%s/%s' " "$work" "$object" >>objects
done <sources
(cd "$build" && eval "$link" -o "'$work/lycosa-with'" cli/main.o cli/malloc.o "$(cat "$work/objects")" "$libs") 2>>problem
verdict "a setting is a row in base/settings.h, a use of its field, and a line of the man page"

# --- the tests
for program in $programs; do
	program=${program#*/}
	CMOCKA_MESSAGE_OUTPUT=TAP "./$program" >out 2>problem
	ended=$?
	[ $ended = 0 ] || { echo "status $ended"; grep -A 3 '^not ok' out; } >>problem
	result $ended "$program passes with a further policy"
	cp out "$program.out"
done
grep -q '^# skipped: .*no second method.*: wander$' test_policy_orders.out &&
	grep -q '^# no second way to the order of wander$' test_fates.out
result $? "a policy without a second method is named in a line"

"$work/lycosa" graph generate --nodes 300 --rng-seed 3 one.txt && "$work/lycosa" graph generate --nodes 200 --rng-seed 4 two.txt
"$work/lycosa" compare --graph one.txt --graph two.txt --seeds random:2 --draws 2 --tau --timing --at 0.3,1 --progress none >out 2>problem &&
	awk -F '\t' '
		/^#/ { next }
		!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
		NF != n || $at["twice"] != 2 * $at["hot"] { bad = 1 }
		$at["policy"] == "wander" && $at["at"] == 1 { found++ }
		END { exit !(n == 14 && found == 4 && !bad) }' out
result $? "compare crawls under the further policy, and prints the further column beside all others"

"$work/lycosa" graph generate --nodes 10 --rng-seed 3 --to edges --write-urls small.urls small.txt
serve --graph small.txt --urls small.urls
"$work/lycosa-with" crawl "$(head -n 1 small.urls)" --store small -H --connect-to "::127.0.0.1:$port" --delay 0 -q --warc small \
	--referer http://from.test/here >out 2>problem
ended=$?
zcat small-*.warc.gz | tr -d '\r' >requests
[ $ended = 0 ] && [ "$(grep -c '^GET ' requests)" -ge 2 ] &&
	[ "$(grep -c '^GET ' requests)" = "$(grep -c '^Referer: http://from.test/here$' requests)" ] || { cat out; grep -a -A 3 '^GET ' requests; } >>problem
verdict "the fetcher sends what the further flag says"
"$work/lycosa-with" crawl --store small --print-config >out 2>problem
grep -A 1 "^# kept in 'small'" out | grep -q '^#*referer = http://from.test/here$' || cat out >>problem
verdict "a store keeps the further setting"
