#!/bin/sh
# doc/tutorial.md: its commands in their order, in one shell, and what they print beside what the page says. LYCOSA, if set, is the
# folder of the headers of an installed lycosa.
. "$(dirname "$0")/../tap.sh"
command -v "${TEST_CC:-cc}" >/dev/null || skip_all "no compiler"
command -v bash >/dev/null || skip_all "no bash"
page=$top/doc/tutorial.md
# block-N of commands; said-N is the ```text block behind it, if there is one
awk '
	/^```sh$/ { n++; into = "block-" n; next }
	/^```c / { into = $2; next }
	/^```text$/ { into = "said-" n; next }
	/^```$/ { if (into) close(into); into = ""; next }
	into { print >into }' "$page"
blocks=$(ls block-* | wc -l)
plan $((blocks + 1))
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
PATH=$build:$PATH LYCOSA=${LYCOSA:-$top} LYCOSA_DONE=$work bash -e -o pipefail commands 2>trace
[ -e "done-$blocks" ]
ended=$?
for n in $(seq "$blocks"); do
	: >problem
	if [ ! -e "done-$n" ]; then
		tail -n 5 trace >problem
	elif [ -e "said-$n" ]; then
		diff "said-$n" "printed-$n" >problem
	fi
	verdict "$(head -n 1 "block-$n" | cut -c 1-70 | tr -d '#')"
done
grep -q '<svg' figure/curves-small-web.svg && grep -q 'mine' figure/curves-small-web.svg && [ $ended = 0 ]
result $? "the figure names the policy of the page"
