#!/bin/sh
# Runs one test and prints clean TAP: cmocka's "not ok N # SKIP name" is a skip, no failure, for the
# reason that the line "# skipped: REASON" before it tells.
# A program that dies, hangs, or fails although each of its tests passed, and any report of a
# sanitizer, also of a program in the background, is an error.
CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
for sanitizer in ASAN UBSAN TSAN; do
	eval "export ${sanitizer}_OPTIONS=log_path=$dir/report:exitcode=99:\${${sanitizer}_OPTIONS:-}"
done
timeout -k 10 "${TEST_TIMEOUT:-900}" "$@" >"$dir/out"
code=$?
awk '
	/^# skipped: / { reason = substr($0, 12) }
	match($0, /^(not )?ok [0-9]+ # SKIP /) {
		name = substr($0, RLENGTH + 1)
		sub(/^not /, "")
		$0 = "ok " $2 " - " name " # SKIP " (reason ? reason : "it does not say why")
		reason = ""
	}
	{ print }' "$dir/out"
if cat "$dir"/report* >&2 2>/dev/null; then
	exit 99
fi
if [ "$code" -ne 0 ] && [ "$code" -lt 124 ] && grep '^not ok' "$dir/out" | grep -qv '# SKIP'; then
	exit 0 # the TAP lines tell
fi
exit "$code"
