#!/bin/sh
# The manual pages and --help name the same flags, and every verb has a page.
. "$(dirname "$0")/../tap.sh"
pages=$top/doc/man

# the verbs within a verb, as its --help lists them
verbs() {
	"$lycosa" "$@" --help | awk '/^  [a-z]/ { print $1 }'
}

# the flags of a verb and of those within it
flags() {
	if "$lycosa" "$@" --help | head -n 1 | grep -q ' VERB \.\.\.$'; then
		for below in $(verbs "$@"); do
			flags "$@" "$below"
		done
	else
		"$lycosa" "$@" --help | grep -o -e '--[a-z][a-z-]*' | cut -c 3-
	fi
}

all=$(verbs | grep -vx help)
# shellcheck disable=SC2086 # words
plan $(($(echo $all | wc -w) + 7))

for verb in $all; do
	flags "$verb" | grep -Evx 'help|version|quiet|verbose' | sort -u >help
	sed -n '/^\.It .*Fl Fl /s/.*Fl Fl \([a-z-]*\).*/\1/p' "$pages/lycosa-$verb.1" 2>&1 |
		sort -u >man
	diff -u man help >problem
	result $? "lycosa-$verb.1 names the flags of --help"
done

# Of a page of several verbs, a line 'VERB FLAG' for each that has it: all, or as the lines 'for' or
# 'not for' and '.Cm VERB , VERB :' say.
flags_by_verb() {
	awk -v all="$1" '
	function put(flag, which, i, n, verb) {
		n = split(all, verb, " ")
		for (i = 1; i <= n; i++)
			if ((index(which " ", " " verb[i] " ") > 0) != not)
				print verb[i], flag
	}
	/^\.Sh/ { within = /OPTIONS/ }
	within && /^\.It .*Fl Fl / {
		flag = $0
		sub(/.*Fl Fl /, "", flag)
		sub(/ .*/, "", flag)
		getline
		not = $0 != "for"
		if ($0 == "for" || $0 == "not for") {
			getline which
			gsub(/\.Cm|[,:]/, "", which)
			gsub(/ +/, " ", which)
		} else {
			which = ""
		}
		put(flag, which)
	}' "$2" | sort -u
}

for verb in graph store; do
	below=$(verbs "$verb")
	for v in $below; do
		"$lycosa" "$verb" "$v" --help | sed -nE "s/^ +(-[a-z],? )?--([a-z-]+).*/$v \\2/p"
	done | sort -u >help
	# shellcheck disable=SC2086,SC2116 # words
	flags_by_verb "$(echo $below)" "$pages/lycosa-$verb.1" >man
	diff -u man help >problem
	result $? "lycosa-$verb.1 says which verb has which flag"
done

for page in "$pages"/lycosa-*.1; do
	basename "$page" .1 | sed 's/^lycosa-//'
done | sort >man
echo "$all" | sort >help
diff -u man help >problem
result $? "every verb has a page, and every page a verb"

grep -h '^\.\(It \)*Xr lycosa-' "$pages"/*.1 | grep -o 'lycosa-[a-z]*' | sort -u >named
for verb in $all; do echo "lycosa-$verb"; done | sort >help
grep -o '^\.It Xr lycosa-[a-z]*' "$pages/lycosa.1" | sed 's/.* //' | sort >man
diff -u man help >problem && diff -u man named >problem
result $? "lycosa.1 names every verb, and no page names another"

for word in quiet verbose help version; do
	grep -q "^\.It .*Fl Fl $word$" "$pages/lycosa.1" || echo "--$word" >>problem
done
[ ! -s problem ]
result $? "lycosa.1 names the flags that every verb has"

# exit_status PAGE: what stands under EXIT STATUS
exit_status() { sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$1"; }

for page in "$pages"/lycosa-*.1; do
	exit_status "$page" | grep -q '\b20 the memory was' || echo "$page lacks 20" >>problem
done
exit_status "$pages/lycosa-crawl.1" | grep -q '\b21 hosts' || echo "lycosa-crawl.1 lacks 21" >>problem
verdict "every page has the exit statuses that its verb may end with for want of memory or of hosts"

if command -v groff >/dev/null; then
	for page in "$pages"/*.1; do
		groff -mdoc -ww -z -Tutf8 "$page" >>problem 2>&1
	done
	! command -v mandoc >/dev/null || mandoc -T lint -W warning "$pages"/*.1 >>problem
	[ ! -s problem ]
	result $? "the pages are sound mdoc"
else
	skip "the pages are sound mdoc" "no groff"
fi
