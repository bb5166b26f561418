#!/bin/sh
# The documentation as HTML: the manual pages by mandoc, the pages in Markdown by cmark-gfm, and an index of both. The pages link to
# each other; nothing is read from the network.
# usage: build-aux/html.sh SOURCE OUT   (OUT/index.html is where to begin)
set -eu
[ $# = 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
source=$1 out=$2
for program in mandoc cmark-gfm; do
	command -v "$program" >/dev/null || { echo "$0: no $program: install the package $program" >&2; exit 1; }
done
rm -rf "$out"
mkdir -p "$out/doc"
out=$(cd "$out" && pwd)

cat >"$out/style.css" <<'END'
:root { color-scheme: light dark }
body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 system-ui, sans-serif }
pre, code { font: 14px/1.45 ui-monospace, monospace }
pre { padding: .7em 1em; overflow-x: auto; background: color-mix(in srgb, currentcolor 8%, transparent) }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { padding: .2em .6em; border: 1px solid color-mix(in srgb, currentcolor 25%, transparent); text-align: left; vertical-align: top }
table.head, table.foot { display: table; width: 100% } table.head td, table.foot td { border: 0 }
img { max-width: 100% }
END

# page TITLE STYLE: wraps the body on stdin
page() {
	printf '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
	printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
	printf '<title>%s</title>\n<link rel="stylesheet" href="%s"></head><body>\n' "$1" "$2"
	cat
	echo '</body></html>'
}

# with_ids: gives each heading the id that links to it have: its text in lower case, with hyphens for blanks
with_ids() {
	awk '/^<h[1-6]>/ {
		text = $0
		gsub(/<[^>]*>|&[a-z]*;/, "", text)
		text = tolower(text)
		gsub(/[^a-z0-9 _-]/, "", text)
		gsub(/ /, "-", text)
		$0 = substr($0, 1, 3) " id=\"" text "\"" substr($0, 4)
	} { print }'
}

# title_of FILE.md
title_of() { sed -n '/^# /{s/^# //; s/&/\&amp;/g; s/</\&lt;/g; p; q;}' "$1"; }

for man in "$source"/doc/man/*.1; do
	mandoc -T html -O 'style=style.css,man=%N.%S.html' "$man" >"$out/$(basename "$man").html"
done
(cd "$source" && find README.md HACKING.md doc -name '*.md') | LC_ALL=C sort >"$out/pages"
while read -r path; do
	up=$(dirname "$path" | sed 's,[^/.][^/]*,..,g; s,^\.$,,; s,$,/,; s,^/$,,')
	mkdir -p "$out/$(dirname "$path")"
	cmark-gfm --unsafe -e table -e autolink -e strikethrough "$source/$path" | with_ids |
		sed -E "s,(href=\"[^\":]*)\\.md(#[^\"]*)?\",\\1.html\\2\",g; s,href=\"[^\":]*man/([a-z0-9-]*\\.1)\",href=\"$up\\1.html\",g" |
		page "$(title_of "$source/$path")" "${up}style.css" >"$out/${path%.md}.html"
done <"$out/pages"
(cd "$source" && find doc \( -name '*.png' -o -name '*.svg' \) -exec sh -c 'for f; do mkdir -p "$0/${f%/*}" && cp "$f" "$0/$f"; done' "$out" {} +)

# a link to a file of the source, or to a manual page of another program, becomes text
find "$out" -name '*.html' | LC_ALL=C sort | while read -r html; do
	grep -o 'href="[^"#:]*' "$html" | cut -c 7- | sort -u | while read -r to; do
		[ -z "$to" ] || [ -e "$(dirname "$html")/$to" ] ||
			{ sed "s,<a [^>]*href=\"$to\(#[^\"]*\)*\"[^>]*>\([^<]*\|<code>[^<]*</code>\)</a>,\2,g" "$html" >"$html.new" && mv "$html.new" "$html"; }
	done
done

{
	echo '<h1>lycosa</h1>'
	echo '<p><a href="README.html">What it is, and how to begin</a>; <a href="doc/README.html">all pages by what you want to do</a>.</p>'
	echo '<h2>Pages</h2><ul>'
	while read -r path; do
		printf '<li><a href="%s">%s</a></li>\n' "${path%.md}.html" "$(title_of "$source/$path")"
	done <"$out/pages"
	echo '</ul><h2>Manual pages</h2><ul>'
	for man in "$source"/doc/man/*.1; do
		name=$(basename "$man")
		printf '<li><a href="%s.html">%s</a>: %s</li>\n' "$name" "${name%.1}" "$(sed -n 's/^\.Nd //p' "$man")"
	done
	echo '</ul>'
} | page lycosa style.css >"$out/index.html"
rm "$out/pages"
