#!/bin/sh
# Runs every command of the EXAMPLES sections, a page at a time in a folder of its own, with the
# built lycosa first in PATH.
. "$(dirname "$0")/../tap.sh"
PATH=$build:$PATH:/usr/sbin
export PATH

# the commands of a page: lines that begin with "$ " within .Bd and .Ed
commands() {
	awk '/^\.Sh / { within = /EXAMPLES/ }
		/^\.Bd/ { display = 1 } /^\.Ed/ { display = 0 }
		within && display && /^\$ / { print substr($0, 3) }' "$1" |
		sed 's/\\-/-/g; s/\\e/\\/g'
}

# A server of an example ends with its page.
run() {
	mkdir "$2" && cd "$2" || return 1
	{
		echo 'trap "kill \$(jobs -p) 2>/dev/null || :" EXIT'
		commands "$1"
	} >commands
	bash -e -x -o pipefail commands >output 2>trace && return 0
	tail -n 5 trace >../problem
	return 1
}

command -v bash >/dev/null || skip_all "no bash"
set -- "$top"/doc/man/*.1
plan $#
for page in "$@"; do
	name=$(basename "$page" .1)
	if commands "$page" | grep -qw jq && ! command -v jq >/dev/null; then
		skip "the examples of $name" "no jq"
		continue
	fi
	if commands "$page" | grep -qw nats-server && ! command -v nats-server >/dev/null; then
		skip "the examples of $name" "no nats-server"
		continue
	fi
	if commands "$page" | grep -q -- --join && ! has_agents; then
		skip "the examples of $name" "this lycosa is built without NATS"
		continue
	fi
	commands "$page" | grep -q . && (run "$page" "$name")
	result $? "the examples of $name"
done
