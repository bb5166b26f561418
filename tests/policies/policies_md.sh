#!/bin/sh
# The example of doc/policies.md: extracted, compiled and run, as a shared object and as one file and
# a line of the table; and shared objects that are none.
. "$(dirname "$0")/../tap.sh"
cc=${TEST_CC:-cc}
page=$top/doc/policies.md
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
plan 19

# block NAME: what stands in the fenced block of that name
block() { sed -n "/^\`\`\`c $1\$/,/^\`\`\`\$/p" "$page" | sed '1d;$d'; }

block narrow.c >narrow.c
{ cat narrow.c; block module.c; } >module.c
block 'table line' >line
build() { $cc -std=gnu11 -O2 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC "-I$top" "$@" 2>>problem; }

build -o narrow.so module.c
result $? "the page's example is compiled into a shared object"

# 2. as a shared object
"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 7 --to edges --write-urls web.urls web.txt
printf '5\n0\n' >seeds
common="--policy-opt share=0.25 --batch 7 --total 300"
replay() { "$lycosa" replay --graph web.txt --seeds seeds "$@" 2>>problem; }

"$lycosa" list policies ./narrow.so >listed 2>problem && grep -q '^share	0.5	0..1	' listed
result $? "it is listed, with its option"
replay --policy ./narrow.so $common --order ids >results && [ "$(wc -l <ids)" -gt 200 ] &&
	grep -q '^# policy: narrow share=0.25$' results
result $? "it replays"
serve --graph web.txt
crawl() {
	"$lycosa" crawl --store s $common --policy ./narrow.so -H --connect-to "::127.0.0.1:$port" --delay 0 \
		--parallel 1 -q "$@" >/dev/null 2>>problem
}
crawl "$(sed -n 6p web.urls)" "$(sed -n 1p web.urls)" --max-pages 90 && crawl --no-max-pages --order live &&
	awk 'NR == FNR { url[NR - 1] = $0; next } { print url[$1] }' web.urls ids | diff - live >problem
result $? "it crawls live, in two sittings, in the order of the replay"
"$lycosa" crawl --store s -q >/dev/null 2>errors
[ $? = 2 ] && grep -q "goes by --policy '$PWD/narrow.so', which is only used when this command names it" errors
result $? "what a store names is not run unless the user names it, too"
mv narrow.so away.so
"$lycosa" crawl --store s --policy "$PWD/narrow.so" -q >/dev/null 2>errors
[ $? = 3 ] && grep -q "cannot open '$PWD/narrow.so'" errors
result $? "where it is missing that is told"
mv away.so narrow.so
"$lycosa" crawl --store s --swap-policy bfs --connect-to "::127.0.0.1:$port" -q >/dev/null 2>problem && "$lycosa" crawl --store s --connect-to "::127.0.0.1:$port" -q >/dev/null 2>problem
result $? "the crawl can be swapped away from it"
"$lycosa" compare --graph web.txt --seeds seeds --policies bfs,./narrow.so,bfs:40,./narrow.so \
	--policy-opt narrow.share=0.25 >results 2>problem && grep -q '^narrow	1	' results &&
	grep -q '^bfs:40,./narrow.so	1	' results && grep -q '^# policy: narrow share=0.25$' results
result $? "it is compared, by itself and in a chain"
"$lycosa" compare --graph web.txt --seeds seeds --policies bfs:40,./narrow.so --out out -q >/dev/null 2>problem
"$lycosa" compare --from out/manifest.json >/dev/null 2>errors
[ $? != 0 ] && grep -q 'only run when --policies names it' errors
result $? "nor is what a manifest names run"
if [ -x "$build/tests/policies/test_policies" ]; then
	"$build/tests/policies/test_policies" ./narrow.so >problem 2>&1
	result $? "it passes the contract test"
	sed 's/page\[v\].key = key;/page[v].key = key, page[u].key = 7;/' module.c >bad.c
	build -o bad.so bad.c && ! ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 "$build/tests/policies/test_policies" ./bad.so >/dev/null 2>&1
	result $? "one that writes the key of a crawled page does not"
else
	skip "it passes the contract test" "not built"
	skip "one that writes the key of a crawled page does not" "not built"
fi

# the example of what a policy may see
{ block crossing.c; block module.c | sed 's/policy_narrow/policy_crossing/'; } >crossing.c
build -o crossing.so crossing.c && replay --policy ./crossing.so --batch 7 --order ids3 >results &&
	[ "$(wc -l <ids3)" -gt 200 ] && ! cmp -s ids ids3 &&
	"$lycosa" list policies ./crossing.so 2>>problem | grep -q '^# needs: hosts$'
result $? "the example that asks to see hosts and URLs replays"

# 3. one file and a line of the table
if [ -n "${TEST_LINK:-}" ]; then
	sed "/^	&policy_bfs,/r line" "$top/policies/table.c" >table.c
	{ cat "$top/policies/policies.h"; echo 'extern const struct policy policy_narrow;'; } >declared.h
	(cd "$build" && eval "$TEST_LINK" "-I'$top'" -I. -include "'$work/declared.h'" -o "'$work/lycosa'" \
		"'$work/table.c'" "'$work/narrow.c'" "'$top/cli/main.c'" "$TEST_LIBS") >problem 2>&1 &&
		./lycosa list policies | grep -q '^narrow	'
	result $? "in the table it is one of the policies"
	./lycosa replay --graph web.txt --seeds seeds --policy narrow $common --order ids2 >/dev/null 2>problem &&
		diff ids ids2 >problem
	result $? "and crawls in the same order"
else
	skip "in the table it is one of the policies" "no link command"
	skip "and crawls in the same order" "no link command"
fi

# 4. shared objects that are none: a line, status 2
refused() {
	"$lycosa" replay --graph web.txt --seeds seeds --policy "$1" >/dev/null 2>errors
	[ $? = 2 ] && [ "$(wc -l <errors)" = 1 ] && grep -q "$2" errors && return 0
	cp errors problem
	return 1
}
# changed SED TEXT: the module, changed so, is refused with this text
changed() {
	sed "$1" module.c >changed.c && build -Wno-error -o changed.so changed.c && refused ./changed.so "$2"
}
echo 'no ELF' >text.so && refused ./text.so 'no shared object'
result $? "a text is refused"
changed '/lycosa_policy/d' "exports no 'lycosa_policy'"
result $? "and a shared object without the symbol"
changed 's/POLICY_ABI, /POLICY_ABI + 1, /' 'built for version 9 of frontier/policy.h, this is version 8' &&
	changed 's/POLICY_ABI, /2, /' 'built for version 2 of frontier/policy.h, this is version 8: build it again' &&
	changed 's/sizeof(struct policy), /8, /' 'another struct policy, of 8 bytes'
result $? "and one of another version"
changed 's/.name = "narrow",//' 'it has no name' && changed 's/"narrow"/"bfs"/' 'that of a built-in one' &&
	changed 's/"narrow"/"a b"/' 'letters' && changed 's/, &policy_narrow}/, 0}/' 'it has none' &&
	changed 's/.summary = .*//' 'no summary' && changed 's/.order = .*/.order = 7,/' 'its order' &&
	changed 's/0.5, 0, 1/5, 0, 1/' 'out of its range' && changed 's/"share", OPT_REAL/"sha.re", OPT_REAL/' 'name is not' &&
	changed 's/.state_size = .*/.state_size = (size_t)-1,/' 'more memory' &&
	changed 's/.state_size = .*/&.page_sent = 1,/' 'sends more bytes' &&
	changed 's/.state_size = .*/&.add_mass = mass,/; s/^static int init/static void mass(const struct policy_call *c, uint32_t u, double m) { (void)c, (void)u, (void)m; } &/' \
		'one alone'
result $? "and one whose policy is none"
changed 's/^static int init/extern int nowhere(void); static int init/; s/^	struct narrow \*s = c->state;$/&nowhere();/' 'cannot load the policy: .*nowhere'
result $? "and one that wants what is not there"
