#!/bin/sh
# Runs one test and prints clean TAP: cmocka's "not ok N # SKIP name" is a skip, no failure, for the
# reason that the line "# skipped: REASON" before it tells.
# A program that dies, hangs, or fails although each of its tests passed, and any report of a
# sanitizer, also of a program in the background, is an error. The last line of the output tells how long
# the test took: "# took 12 s, 9 s of them on a processor" (the test's own, and its children's that it waited for).
CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
for sanitizer in ASAN UBSAN TSAN; do
	eval "export ${sanitizer}_OPTIONS=log_path=$dir/report:exitcode=99:\${${sanitizer}_OPTIONS:-}"
done
begun=$(date +%s)
timeout -k 10 "${TEST_TIMEOUT:-900}" "$@" >"$dir/out"
code=$?
times >"$dir/times"
awk '
	/^# skipped: / { reason = substr($0, 12) }
	match($0, /^(not )?ok [0-9]+ # SKIP /) {
		name = substr($0, RLENGTH + 1)
		sub(/^not /, "")
		$0 = "ok " $2 " - " name " # SKIP " (reason ? reason : "it does not say why")
		reason = ""
	}
	{ print }' "$dir/out"
awk -F '[ms ]+' -v took=$(($(date +%s) - begun)) '
	END { printf "# took %d s, %.0f s of them on a processor\n", took, 60 * ($1 + $3) + $2 + $4 }' "$dir/times"
# no faults: what the leak checker says of a thread that ends while it looks, as in a program that is killed; and what the sanitizer says of a
# program that changes stacks itself, as the simulation of agents does
for report in "$dir"/report*; do
	grep -qv -e 'Unable to get registers from thread' -e "ASan doesn't fully support makecontext/swapcontext" "$report" 2>/dev/null ||
		rm -f "$report"
done
if cat "$dir"/report* >&2 2>/dev/null; then
	exit 99
fi
if [ "$code" -ne 0 ] && [ "$code" -lt 124 ] && grep '^not ok' "$dir/out" | grep -qv '# SKIP'; then
	exit 0 # the TAP lines tell
fi
exit "$code"
