#!/bin/sh
# The pages that begin a reader's first quarter of an hour: doc/crawl.md, doc/compare.md and doc/policy.md. Each page's commands run in their
# order, in one shell and a folder of their own, and what they print is compared with what the page says. LYCOSA, if set, is the folder of
# the headers of an installed lycosa.
. "$(dirname "$0")/../tap.sh"
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
command -v bash >/dev/null || skip_all "no bash"
pages="crawl compare policy"
for page in $pages; do
	mkdir "$page"
	# block-N of commands; said-N is the ```text block behind it, if there is one
	awk -v folder="$page/" '
		/^```sh$/ { n++; into = folder "block-" n; next }
		/^```c / { into = folder $2; next }
		/^```text$/ { into = folder "said-" n; next }
		/^```$/ { if (into) close(into); into = ""; next }
		into { print >into }' "$top/doc/$page.md"
done
plan $(($(ls */block-* | wc -l) + 2))

# run_page PAGE: its blocks, and a verdict for each
run_page() {
	cd "$work/$1" || exit 1
	blocks=$(ls block-* | wc -l)
	{
		echo 'trap "kill \$(jobs -p) 2>/dev/null || :" EXIT'
		# a compiler of the build, whatever it is called
		[ -z "${TEST_CC:-}" ] || echo 'cc() { $TEST_CC "$@"; }'
		for n in $(seq "$blocks"); do
			printf 'exec >printed-%d\n' "$n"
			cat "block-$n"
			printf 'touch "$LYCOSA_DONE/done-%d"\n' "$n"
		done
	} >commands
	PATH=$build:$PATH LYCOSA=${LYCOSA:-$top} LYCOSA_DONE=$work/$1 bash -e -o pipefail commands 2>trace
	for n in $(seq "$blocks"); do
		: >problem
		if [ ! -e "done-$n" ]; then
			tail -n 5 trace >problem
		elif [ -e "said-$n" ]; then
			diff "said-$n" "printed-$n" >problem
		fi
		verdict "$1: $(head -n 1 "block-$n" | cut -c 1-70 | tr -d '#')"
	done
}

for page in $pages; do
	run_page $page
done
cd "$work" || exit 1
grep -q '<svg' policy/figure/curves-small-web.svg && grep -q 'mine' policy/figure/curves-small-web.svg
result $? "the figure names the policy of the page"
grep -q '<svg' compare/figure/curves-small-web.svg
result $? "a study has its figure"
