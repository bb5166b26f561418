#!/bin/sh
# Counts in build-cov which lines the tests reach: a line a file, then a line a folder.
# COVERAGE_OF=check-unit counts the quick tests alone.
set -eu
cd "$(dirname "$0")/.."
top=$(pwd)
. build-aux/prepare.sh

build build-cov --enable-coverage
find build-cov -name '*.gcda' -exec rm -f {} +
make -s -C build-cov -j "$(nproc)" "${COVERAGE_OF:-check}" >build-cov/check.out || say "some tests failed: build-cov/check.out"
cd build-cov
find . -name '*.gcda' ! -path './tests/*' -exec gcov -n {} + 2>/dev/null >gcov.out
awk -v top="$top/" '
	/^File / { file = $2; gsub(/\047/, "", file); sub(/^.*[.][.]\//, "", file); sub(top, "", file) }
	/^Lines executed:/ && file ~ /^[a-z]+\/([a-z]+\/)?[a-z_0-9]+\.c$/ {
		split($0, f, /[:% ]+/)
		folder = file; sub("/.*", "", folder)
		lines[file] = f[5]; hit[file] = f[3] * f[5] / 100
		all[folder] += f[5]; reached[folder] += hit[file]
		all["all"] += f[5]; reached["all"] += hit[file]
	}
	/^Lines executed:/ { file = "" }
	END {
		for (name in lines)
			printf "1 %-32s %6d lines %6.1f %%\n", name, lines[name], 100 * hit[name] / lines[name]
		for (name in all)
			printf "2 %-32s %6d lines %6.1f %%\n", name, all[name], 100 * reached[name] / all[name]
	}' gcov.out | LC_ALL=C sort | cut -c 3- | tee coverage.txt
