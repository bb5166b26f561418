#!/bin/sh
# Lets spin try all orders of the steps of agents.pml, and shows that the model notices when a rule of the protocol is left out.
# usage: check.sh [FOLDER]      the folder for what spin makes; a temporary one if none is given
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$(mktemp -d)}
mkdir -p "$folder" && cd "$folder"
command -v spin >/dev/null || { echo "spin is not there (Debian: apt-get install spin)" >&2; exit 2; }

# explore WORDS...: the number of errors that spin finds, and the number of states
explore() {
	spin -a "$@" "$here/agents.pml" >spin.out 2>&1 && ${CC:-cc} -O2 -w -DSAFETY -o pan pan.c && ./pan -m1000000 -n >pan.out 2>&1
	states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.out)
	errors=$(sed -n 's/.*errors: \([0-9]*\)$/\1/p' pan.out)
	grep -q 'max search depth too small' pan.out && errors="too deep"
	[ -n "$errors" ] || { cat spin.out pan.out >&2; exit 1; }
}

failed=0
explore
[ "$errors" = 0 ] || failed=1
echo "the protocol: $errors errors in $states states"
for rule in MARGIN LOG CLOSING GENERATION; do
	explore -DWITHOUT_$rule
	[ "$errors" = 1 ] || failed=1
	echo "without $rule: $errors error$([ "$errors" = 1 ] || echo s) after $states states"
done
exit $failed
