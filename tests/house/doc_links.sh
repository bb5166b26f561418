#!/bin/sh
# What the documents link to, or name as a file of this tree, is there; and lists of packages have each library that configure needs.
. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
set -- README.md CONTRIBUTING.md HACKING.md SECURITY.md NEWS doc/*.md */README.md crawler/*/README.md
plan 3
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

sed -n 's/^LYCOSA_NEED.*\[\([a-z0-9.+-]*-dev\)\].*/\1/p' "$top/configure.ac" | sort -u >needed
[ "$(wc -l <needed)" -ge 10 ] || cat needed >problem
while read -r package; do
	for list in Containerfile debian/control build-aux/prepare.sh; do
		grep -qw -- "$package" "$top/$list" || echo "$list lacks $package"
	done
done <needed >>problem
verdict "each library that configure needs is in every list of packages"
