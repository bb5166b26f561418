#!/bin/sh
# What the documents link to, or name as a file of this tree, is there.
. "$(dirname "$0")/tap.sh"
cd "$top" || exit 1
set -- README.md HACKING.md NEWS doc/*.md */README.md
plan 2
for page in "$@"; do
	grep -o '](\([^)#: ]*\)[^)]*)' "$page" 2>/dev/null | sed 's/^](//;s/[)#].*//' | grep -v '^[a-z]*:' | while read -r path; do
		[ -z "$path" ] || [ -e "$(dirname "$page")/$path" ] || echo "$page links to '$path'"
	done
done >"$work/problem"
cd "$work" || exit 1
verdict "links of the documents lead to files"
cd "$top" || exit 1
for page in "$@"; do
	grep -o '\(doc\|tests\|build-aux\|lib\|policies\|frontier\|graph\|crawler\)/[A-Za-z0-9_./-]*\.\(md\|c\|h\|sh\|py\|mk\|list\)\>' "$page" | grep -v NAME | sort -u | while read -r path; do
		[ -e "$path" ] || [ -e "$(dirname "$page")/$path" ] || echo "$page names '$path'"
	done
done >"$work/problem"
cd "$work" || exit 1
verdict "files that the documents name are there"
