#!/bin/sh
# Everything that can be tried of the last commit, one stage after the other, and the table "Last run" of doc/reliability.md with the
# result of each stage, its time and its commit. A stage that fails does not end the run, but the run then ends with 1.
# usage: ./check all [STAGE ...]     (no STAGE: all of them, some two hours on two processors)
# Logs are in build-all/, STAGE.log. The stages packages and bare make Debian systems there: they need root, debootstrap, the network and 6 GB.
set -u
cd "$(dirname "$0")/.." || exit 1
. build-aux/prepare.sh
page=doc/reliability.md
all_stages="plain asan tsan distcheck powerloss faults model coverage abi wheel packages bare"
stages=${*:-$all_stages}

# what STAGE: what the table says that the stage does
what() {
	case $1 in
	plain) echo "\`./check\`" ;;
	asan) echo "\`./check asan\`: addresses, undefined behaviour, leaks" ;;
	tsan) echo "\`./check tsan\`: data races" ;;
	distcheck) echo "\`make distcheck\`: the tarball is built from a folder that cannot be written, tested, installed, removed" ;;
	powerloss) echo "\`make check-powerloss\`" ;;
	faults) echo "\`make check-faults\`" ;;
	model) echo "\`tests/agents/model/check.sh\`: spin tries all orders of the agents' steps, and notices each rule that is left out" ;;
	coverage) echo "\`make coverage\`" ;;
	abi) echo "\`build-aux/abi.sh\`: the library has the binary interface that is kept in \`lib/lycosa.abi\`" ;;
	wheel) echo "\`build-aux/check-wheel.sh\`: a Python wheel is built, installed and used, and the types of the module hold" ;;
	packages) echo "\`build-aux/check-packages.sh\`: Debian packages are built, installed, used and removed" ;;
	bare) echo "\`build-aux/check-bare.sh\`: quickstart, check, and check again on bare Debian systems" ;;
	*) return 1 ;;
	esac
}

run() {
	case $1 in
	plain) ./check ;;
	asan | tsan) ./check "$1" ;;
	distcheck) build build && make -s -C build -j "$(nproc)" distcheck ;;
	powerloss) build build && make -s -C build check-powerloss ;;
	faults) build build && make -s -C build check-faults ;;
	model) tests/agents/model/check.sh build-all/model ;;
	coverage) build-aux/coverage.sh && ! grep -qE '^# (FAIL|ERROR): *[1-9]' build-cov/check.out ;;
	abi) build-aux/abi.sh build-all/abi ;;
	wheel) build build && build-aux/check-wheel.sh build build-all/wheel ;;
	packages) build-aux/check-packages.sh build-all/debian ;;
	bare) build-aux/check-bare.sh build-all/debian ;;
	esac
}

# sum WORD LOG: the tests that `make check` counted under this word
sum() { awk -v what="# $1:" 'index($0, what) == 1 { n += $NF } END { print n + 0 }' "$2"; }

# figure STAGE LOG: what the stage counted, in a few words
figure() {
	case $1 in
	faults) grep -m 1 'runs, in .* a condition did not hold' "$2" ;;
	model) head -n 1 "$2" ;;
	coverage) awk '$1 == "all" { print $(NF - 1) "% of " $2 " lines reached" }' build-cov/coverage.txt ;;
	powerloss) sed -n 's/^ok [0-9]* - \([0-9]* power failures\):.*/\1, and each store was sound/p' build/tests/storage/e2e_powerloss.log ;;
	packages | wheel | abi) tail -n 1 "$2" ;;
	bare) grep ': status ' "$2" | sed 's/: status 0$//; s/|/,/g' | paste -sd ';' ;;
	*) echo "$(sum PASS "$2") passed, $(sum SKIP "$2") skipped, $(($(sum FAIL "$2") + $(sum ERROR "$2"))) failed" ;;
	esac
}

for stage in $stages; do
	what "$stage" >/dev/null || { echo "no stage '$stage'; there are: $all_stages" >&2; exit 2; }
done
if [ -n "$(git status --porcelain --untracked-files=no -- . ":!$page")" ]; then
	echo "commit first: the table names the commit that was tried" >&2
	exit 2
fi
commit=$(git rev-parse --short=12 HEAD)
mkdir -p build-all
rows=build-all/rows
failed=0
{
	echo "| what | result | minutes | commit |"
	echo "| --- | --- | --- | --- |"
} >$rows
for stage in $all_stages; do
	case " $stages " in
	*" $stage "*) ;;
	*)
		grep -F "| $(what "$stage") |" $page >>$rows || echo "| $(what "$stage") | not run | - | - |" >>$rows
		continue
		;;
	esac
	say "$stage"
	begun=$(date +%s)
	log=build-all/$stage.log
	if run "$stage" >$log 2>&1; then
		verdict=
	else
		verdict="**failed**: "
		failed=1
		tail -n 30 $log >&2
	fi
	minutes=$((($(date +%s) - begun + 59) / 60))
	row="| $(what "$stage") | $verdict$(figure "$stage" $log) | $minutes | $commit |"
	echo "$row" | tee -a $rows
done
build-aux/renew.sh $page "last run" <$rows
[ $failed = 0 ] && say "everything passed; the table is in $page" || say "something failed; the logs are in build-all/"
exit $failed
