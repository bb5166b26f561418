#!/bin/sh
# The documentation as HTML: every page is made, and every link of it leads to a page, and to a place on the page.
. "$(dirname "$0")/../tap.sh"
needs mandoc cmark-gfm
plan 4

sh "$top/build-aux/html.sh" "$top" html 2>problem
result $? "the pages are made"
for man in "$top"/doc/man/*.1; do
	name=$(basename "$man")
	grep -q "href=\"$name.html\"" html/index.html && grep -q '</html>' "html/$name.html" || echo "$name"
done >problem
(cd "$top" && find README.md HACKING.md doc -name '*.md') | while read -r path; do
	grep -q "href=\"${path%.md}.html\"" html/index.html && grep -q '</html>' "html/${path%.md}.html" || echo "$path"
done >>problem
verdict "the index has each manual page and each page in Markdown"
find html -name '*.html' | while read -r page; do
	grep -o '\(href\|src\)="[^"]*"' "$page" | sed 's/^[a-z]*="//; s/"$//' | sort -u | while read -r to; do
		case $to in
		[a-z]*:*) continue ;;
		esac
		file=${to%%#*}
		target=${file:+$(dirname "$page")/$file}
		target=${target:-$page}
		[ -e "$target" ] || { echo "$page: $to"; continue; }
		case $to in
		*?'#'?* | '#'?*) grep -qF -e "id=\"${to#*#}\"" -e "name=\"${to#*#}\"" "$target" || echo "$page: no place $to" ;;
		esac
	done
done >problem
verdict "every link leads to a page that is there"
sh "$top/build-aux/html.sh" "$top" again 2>problem && diff -r html again >>problem
verdict "they are the same each time"
