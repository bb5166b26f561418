#!/bin/sh
# Prints where the formatter would change a source, and fails if it would. clang-format 14 (Debian 12) and 19 (Debian 13) agree on all lines
# but those of macros, which 14 breaks, and of a pointer behind the brace of a struct, where 14 puts a blank: these are compared where the formatter is that of .clang-format's first line, and nowhere else.
cd "$(dirname "$0")/.." || exit 1
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
grep -q "^# clang-format $version\$" .clang-format && macros=1 || macros=0
lines() { awk -v macros=$macros '/^[ \t]*#[ \t]*define/ { in_macro = 1 } macros || !(in_macro || /^[ \t]*} ?\* ?[a-z]/); !/\\$/ { in_macro = 0 }' "$1"; }
formatted=$(mktemp -d) || exit 1
trap 'rm -rf "$formatted"' EXIT
find ./[a-z]* -name '*.[ch]' -path './*/*' ! -path '*/build*/*' | LC_ALL=C sort | xargs clang-format --dry-run 2>&1 |
	sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: .*-Wclang-format-violations.*/\1/p' | LC_ALL=C sort -u >"$formatted/files"
differ=0
while read -r file; do
	lines "$file" >"$formatted/is"
	clang-format "$file" | lines - >"$formatted/to"
	diff -u --label "$file" --label "$file, formatted" "$formatted/is" "$formatted/to" || differ=1
done <"$formatted/files"
exit $differ
