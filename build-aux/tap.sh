#!/bin/sh
# Runs one test and prints clean TAP: cmocka's "not ok N # SKIP name" is a skip, no failure.
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
sed 's/^not ok \([0-9]*\) # SKIP/ok \1 # SKIP/' "$dir/out"
if cat "$dir"/report* >&2 2>/dev/null; then
	exit 99
fi
if [ "$code" -ne 0 ] && [ "$code" -lt 124 ] && grep '^not ok' "$dir/out" | grep -qv '# SKIP'; then
	exit 0 # the TAP lines tell
fi
exit "$code"
