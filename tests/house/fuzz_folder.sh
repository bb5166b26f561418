#!/bin/sh
# Fuzz targets write their files to memory, to /tmp where there is no room in memory, and say so where there is none at all.
. "$(dirname "$0")/../tap.sh"
may_mount || skip_all "$no_mounts"
plan 3
targets="fuzz_archive fuzz_image fuzz_store fuzz_stored"

# replayed MOUNT: each target with its corpus, after this command
replayed() {
	for target in $targets; do
		$unshare sh -c "$1; exec '$build/tests/fuzz/$target'" >out 2>&1
		echo "$target $?"
		grep -v -e '^# ' -e '^ok ' -e '^1\.\.' out
	done
}
good=$(for target in $targets; do echo "$target 0"; done)
[ "$(replayed 'mount -t tmpfs -o ro none /dev/shm' | tee problem)" = "$good" ] && rm -f problem
verdict "where nothing can be written to /dev/shm they pass all the same"
[ "$(replayed 'mount -t tmpfs -o size=1m none /dev/shm' | tee problem)" = "$good" ] && rm -f problem
verdict "and where it is too small for their files"
bad=$(for target in $targets; do printf '%s 1\nBail out! neither /dev/shm nor /tmp can hold files of 16777216 bytes\n' "$target"; done)
[ "$(replayed 'mount -t tmpfs -o ro none /dev/shm; mount --rbind /tmp /tmp; mount -o remount,bind,ro /tmp' | tee problem)" = "$bad" ] && rm -f problem
verdict "without any place they end, and a line says so"
