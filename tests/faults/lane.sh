#!/bin/sh
# lane.sh SCENE COMMAND CALL ERRNO MOST: case.sh for N = 1, 2, 3 ... MOST; ends where the command makes fewer calls than
# that, twice in a row.
scene=$1 command=$2 call=$3 number=$4
missed=0
for n in $(seq 1 "$5"); do
	line=$(sh "$(dirname "$0")/case.sh" "$scene" "$command" "$call" "$number" "$n")
	printf '%s\n' "$line"
	case $line in
	*"	missed	"*) missed=$((missed + 1)) ;;
	*) missed=0 ;;
	esac
	[ $missed -lt 2 ] || break
done
