#!/bin/sh
# Fuzzes each target for FUZZ_SECONDS (60), or those of FUZZ_TARGETS ("url mime"), in build-fuzz.
# What libFuzzer finds stays there: found/NAME holds new inputs, crash-* and the like what broke it.
set -eu
cd "$(dirname "$0")/.."
. build-aux/prepare.sh

install_packages clang libclang-rt-dev
build build-fuzz CC=clang --enable-fuzzers
cd build-fuzz
status=0
for name in ${FUZZ_TARGETS:-$(make -s fuzz-names)}; do
	target=tests/fuzz/fuzz_$name
	make -s -j "$(nproc)" "$target"
	mkdir -p "found/$name"
	say "fuzzing $name for ${FUZZ_SECONDS:-60} s"
	"$target" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix="found/$name-" "found/$name" "../tests/fuzz/corpus/$name" \
		>"found/$name.log" 2>&1 || {
		status=1
		say "$name FAILED; build-fuzz/found/$name.log:"
		tail -n 40 "found/$name.log"
	}
	awk '/^Done|^stat::number_of_executed_units|^stat::new_units/' "found/$name.log"
done
exit $status
