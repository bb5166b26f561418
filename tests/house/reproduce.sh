#!/bin/sh
# ./reproduce: tables of the results are made again, and a digit that differs is told.
. "$(dirname "$0")/../tap.sh"
plan 6
LYCOSA=$lycosa LYCOSA_DATA=$work/no-data PAGE=$work/page.md
export LYCOSA LYCOSA_DATA PAGE
cp "$top/doc/results.md" "$PAGE"

status 0 "$top/reproduce" fica-gamma ieca-beta && grep -q '^2 tables are as printed, 0 are not, 0 are left out$' results
result $? "two tables of results.md, of policies of the papers, are made again to the printed digits"

# the last digit of a table
awk '/studies\/fica-gamma.ini -->/ { within = 1 } within && /^\| endless-2/ { sub("[0-9] [|]$", "x |"); within = 0 } { print }' \
	"$top/doc/results.md" >"$PAGE"
status 1 "$top/reproduce" fica-gamma && grep -q '^different  fica-gamma' results && grep -q '^< | endless-2 .*x |$' results
result $? "one digit that differs is status 1, and both rows are shown"

status 0 "$top/reproduce" --write fica-gamma && cmp "$PAGE" "$top/doc/results.md" >problem 2>&1
result $? "--write prints the table anew, and changes nothing else"

status 0 "$top/reproduce" cnr-2000 && grep -q '^left out   cnr-2000: it needs data:cnr-2000' results
result $? "a table whose graph is not here names it"

status 2 "$top/reproduce" root && status 2 "$top/reproduce" --slow &&
	[ "$(grep -c '^<!-- studies/.*\.ini -->$' "$top/doc/results.md")" -ge 12 ] &&
	for job in "$top"/studies/*.ini; do
		name=$(basename "$job" .ini)
		[ "$name" = graphs ] || grep -qx "<!-- studies/$name.ini -->" "$top/doc/results.md" || echo "$name has no table"
	done >problem 2>&1 && [ ! -s problem ]
result $? "each job file of studies/ has its table, and no other name is taken"

# each verdict of the tables of claims stands on a number of graphs, the effect, and the p of its planned test; a cell may have several tests
grep -oE '[^|]*\*\*(holds|not shown|contradicted)\*\*|\| [^|]* \| \*\*(holds|not shown|contradicted)\*\* \|' "$top/doc/results.md" >verdicts
grep -vE '([-+][0-9.]+ points, better on [0-9]+% of [0-9]+ graphs|on [0-9]+ of [0-9]+ graphs), p = [0-9.e-]+ (by the sign test )?after Holm over [0-9]+' \
	verdicts >problem
[ "$(wc -l <verdicts)" -gt 30 ] && [ ! -s problem ]
result $? "each verdict of results.md names its graphs, its effect and its corrected test"
