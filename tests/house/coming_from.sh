#!/bin/sh
# The commands of doc/coming_from.md: each crawl is one that lycosa would begin, and the other verbs know their flags.
. "$(dirname "$0")/../tap.sh"
plan 2
page=$top/doc/coming_from.md
grep -o '`lycosa [^`]*`' "$page" | tr -d '`' | sort -u >commands
echo http://a.test/ >seeds.txt
cp seeds.txt urls.txt
touch hosts.ini

grep '^lycosa crawl ' commands >crawls
[ "$(wc -l <crawls)" -ge 35 ] || echo "only $(wc -l <crawls) crawls are found in the page" >problem
while read -r command; do
	# the words of the page are those of a shell: a pattern has quotes there
	eval "\"\$lycosa\" ${command#lycosa } --print-config" >settings 2>errors </dev/null && [ -s settings ] ||
		{ echo "$command: $(cat errors)"; } >>problem
done <crawls
verdict "each crawl of the page is one that lycosa would begin"

grep -v '^lycosa crawl ' commands >others
[ "$(wc -l <others)" -ge 5 ] || echo "only $(wc -l <others) other commands are found in the page" >problem
while read -r _ verb rest; do
	case $verb in archive | store) verb="$verb ${rest%% *}" ;; esac
	# shellcheck disable=SC2086 # a verb and its own verb
	"$lycosa" $verb --help=all >help 2>errors || cat errors >>problem
	for word in $rest; do
		case $word in --*) grep -q -- "$word\>" help || echo "lycosa $verb does not know $word" >>problem ;; esac
	done
done <others
verdict "the other verbs of the page know their flags"
