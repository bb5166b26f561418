#!/bin/sh
# Replaces the lines of a page between `<!-- NAME: begin ... -->` and `<!-- NAME: end -->` by its standard input.
# usage: build-aux/renew.sh PAGE NAME <LINES
set -eu
[ $# = 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
new=$(mktemp)
trap 'rm -f "$new" "$new.lines"' EXIT
cat >"$new.lines"
awk -v mark="<!-- $2: " -v lines="$new.lines" '
	index($0, mark) != 1 { if (!inside) print; next }
	{ print; inside = index($0, mark "begin") == 1; seen += inside }
	inside { while ((getline line < lines) > 0) print line }
	END { exit seen != 1 || inside }' "$1" >"$new" || { echo "$1 has no two marks '$2'" >&2; exit 1; }
cat "$new" >"$1"
