#!/bin/sh
# What quickstart and check do before they build (build-aux/prepare.sh), with a system that is made up: apt-get, dpkg-query, apt-cache,
# pkg-config, autoreconf and configure are scripts that note how they were called. The folder has a blank in its name.
. "$(dirname "$0")/../tap.sh"
plan 14
mkdir -p 'a tree/build-aux' bin
cd 'a tree' || exit 1
policy=$work/policy-rc.d calls=$work/calls has=$work/has archive=$work/archive versions=$work/versions
export policy calls has archive versions
: >"$calls" >"$has" >"$archive" >"$versions"
# program NAME: made of its input
program() { { echo '#!/bin/sh'; cat; } >"$work/bin/$1" && chmod 755 "$work/bin/$1"; }
program dpkg-query <<'END'
sed 's/^/installed /' "$has"
END
program apt-cache <<'END'
grep -x "$2" "$archive"
END
# an archive whose list is there after an update, or that cannot be reached
program apt-get <<'END'
for word; do case $word in update | install) verb=$word ;; esac; done
echo "apt-get $verb" >>"$calls"
[ $verb = install ] || { [ ! -f "$archive.news" ] || mv "$archive.news" "$archive"; exit 0; }
while [ "$1" != install ]; do shift; done
shift
for word; do
	grep -qx "$word" "$archive" && [ "$word" != hurt ] || { echo "W: it is cold" >&2; echo "E: $word cannot be had" >&2; exit 100; }
done
printf '%s\n' "$@" >>"$has"
[ -x "$policy" ] || echo "a service may be started" >>"$calls"
END
program sudo <<'END'
echo sudo >>"$calls"
"$@"
END
program id <<'END'
echo "${as:-0}"
END
program pkg-config <<'END'
sed -n "s/^$2 //p" "$versions" | grep .
END
program automake <<'END'
echo "automake 1.0"
END
program autoreconf <<'END'
echo autoreconf >>"$calls"
[ ! -f broken ] || { echo 'configure.ac:7: error: no such macro' >&2; exit 1; }
echo '# made by automake 1.0 from Makefile.am.' >Makefile.in
cat >configure <<'EOF'
#!/bin/sh
shift
echo "configure $*" >>"$calls"
pkg-config --modversion needed >/dev/null || { echo 'configure: error: needed is missing: on Debian, apt-get install needed-dev' >&2; exit 1; }
printf '#!/bin/sh\necho "%s"\n' "$*" >config.status && chmod 755 config.status
printf 'all:\n\t@echo make >>"$$calls"\n\t@%s\n' "$(cat ../recipe 2>/dev/null)" >Makefile
EOF
chmod 755 configure
END
cp "$top/build-aux/prepare.sh" build-aux
: >Makefile.am
echo 'PKG_CHECK_MODULES([N], [needed >= 2 other], [], [])' >configure.ac
# with COMMANDS: after prepare.sh, as quickstart runs them; what was called is in `called`, what was said in `said`
with() {
	: >"$calls"
	PATH=$work/bin:$PATH sh -euc ". build-aux/prepare.sh
		packages='compiler|cc library-dev' test_packages='fish: completion is not tested
browser|old-browser: no page is looked at
hurt: nothing hurts'
		policy=$policy
		$1" >said 2>&1
	ended=$?
	sort "$calls" | uniq -c | awk '{ print $2, $3, $4, $5, $6 }' | sed 's/ *$//' >called
}
# is STATUS FILE LINE ...: with ended so, and the file has these lines alone
is() {
	wanted=$1 file=$2
	shift 2
	[ $ended = "$wanted" ] || echo "status $ended" >>problem
	printf '%s\n' "$@" | grep . | diff - "$file" >>problem
	[ -s problem ] || rm -f problem
}

# --- packages
printf '%s\n' cc library-dev >"$has"
with 'install_packages'
is 0 called ''
is 0 said ''
verdict "where nothing is missing, apt-get is not called, and nothing is said"
echo cc >"$has"
echo library-dev >"$archive.news"
with 'install_packages'
is 0 called 'apt-get install' 'apt-get update'
grep -qx library-dev "$has" || echo "not installed" >>problem
[ ! -e "$policy" ] || echo "no service may be started ever after" >>problem
verdict "what the list of packages lacks is there after an update, and is installed"
printf '%s\n' library-dev >"$has"
printf '%s\n' compiler cc >"$archive"
as=1000
export as
with 'install_packages'
is 0 called 'apt-get install' 'sudo'
grep -qx compiler "$has" || echo "not the first of its names" >>problem
verdict "who is not root installs by sudo, and of several names the first that the archive has"
as=0
echo compiler >"$has"
: >"$archive"
with 'install_packages'
grep -v '^$' said >lines
is 1 lines '== could not install: library-dev (the archive has no package of the name)'
verdict "what the build needs and cannot be had ends it with a line"
printf '%s\n' fish >"$has"
printf '%s\n' hurt old-browser >"$archive"
with 'install_packages_for_tests'
grep -qx old-browser "$has" || echo "no browser was installed" >>problem
grep -v '^$' said | grep -v '^== installing' >lines
is 0 lines '== could not install what some tests need (E: hurt cannot be had)' 'no hurt: nothing hurts'
verdict "a package that cannot be installed keeps no other from it, and a line says what it costs"

# --- builds
build='build build --enable-werror || exit 1'
with "$build"
is 1 called 'autoreconf' 'configure --enable-werror'
with "$build"
grep -v '^$' said >lines
is 1 lines '== cannot configure: configure: error: needed is missing: on Debian, apt-get install needed-dev (all of it: build/configure.log)'
verdict "a configure that fails is told in a line"
echo needed 2.1 >"$versions"
with "$build"
is 0 called 'configure --enable-werror' make
is 0 said ''
verdict "where it is there later, it is found"
with "$build"
is 0 called make
verdict "where nothing has changed, configure does not run"
with 'build build'
is 0 called make
verdict "and what a folder was configured with holds on for who asks for less"
echo other 1 >>"$versions"
with 'build build'
is 0 called 'configure --enable-werror' make
with 'build build'
is 0 called make
sed -i /other/d "$versions"
with 'build build'
is 0 called 'configure --enable-werror' make
verdict "a package that comes or goes makes it run again, once"
touch -d '1 minute' configure.ac
rm build/answered
with "$build"
is 0 called autoreconf 'configure --enable-werror' make
touch -d '1 minute ago' configure.ac
mv "$work/../$(basename "$work")/a tree" "$work/another tree"
cd "$work/another tree" || exit 1
with "$build"
is 0 called 'configure --enable-werror' make
verdict "so do a configure.ac that is newer, and a tree that was moved"
echo "echo 'a.c:1: error: x'; exit 1" >recipe
rm build/answered
with "$build"
grep -v '^$' said >lines
is 1 lines '== cannot build: a.c:1: error: x (all of it: build/make.log)'
verdict "a build that fails is told in a line"
: >broken
rm -f configure
rm build/answered
with "$build"
grep -v '^$' said >lines
is 1 lines '== cannot configure: configure.ac:7: error: no such macro (all of it: build/configure.log)'
verdict "and so is a configure that cannot be made"

# --- tests
mkdir -p ran/tests
for test in a b c; do
	: >ran/tests/$test.trs
	echo "SKIP: tests/$test 7 - a graph of the name $test # SKIP no shared data '$test.gz' (see --with-shared)" >ran/tests/$test.log
done
printf 'check:\n\t@cat tests/*.log; echo "FAIL: tests/d 1 - it is right"; exit 1\n' >ran/Makefile
with 'run_tests ran 1 || status=$?; list_skipped ran; exit $status'
grep -v -e '^$' -e '^make' said >lines
is 2 lines 'FAIL: tests/d 1 - it is right' '== skipped, and why (ran/skipped.txt)' \
	'   3 no shared data (configure --with-shared): tests/a 7, tests/b 7, tests/c 7'
verdict "tests that are skipped have a line for each reason, and a test that fails is told by the status"
