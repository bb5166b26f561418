#!/bin/sh
# lane.sh SCENE COMMAND CALL ERRNO N...: case.sh for one N after the other, rising; ends where the command makes
# fewer calls than that, twice in a row.
scene=$1 command=$2 call=$3 number=$4
shift 4
missed=0
for n in "$@"; do
	line=$(sh "$(dirname "$0")/case.sh" "$scene" "$command" "$call" "$number" "$n")
	printf '%s\n' "$line"
	case $line in
	*"	missed	"*) missed=$((missed + 1)) ;;
	*) missed=0 ;;
	esac
	[ $missed -lt 2 ] || break
done
