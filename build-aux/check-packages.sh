#!/bin/sh
# The life of the Debian packages: builds them of the last commit in a bare Debian, in a folder where quickstart has built before, then
# installs them in another, says what they take, runs their tests (debian/tests) by autopkgtest, and removes them. As root, and with the
# network. SUITE=trixie is that of Debian 13.
# usage: build-aux/check-packages.sh FOLDER   (3 GB; FOLDER/packages has the packages, and build.log)
set -eu
cd "$(dirname "$0")/.."
. build-aux/bare.sh
[ $# = 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
packages=$1/packages
mkdir -p "$packages"
packages=$(cd "$packages" && pwd)

# inside COMMANDS: in $root; the first that fails ends the script
inside() {
	chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -euc "$1"
}

echo "building"
bare_root "$1/builder"
bare_tree build/lycosa
inside 'apt-get -qq update && apt-get -qq -y --no-install-recommends install dpkg-dev lintian >/dev/null 2>&1
	cd /build/lycosa && ./quickstart && apt-get -qq -y --no-install-recommends build-dep . >/dev/null 2>&1
	dpkg-buildpackage -us -uc && rm -rf /build/lycosa' >"$packages/build.log" 2>&1 ||
	{ tail -n 30 "$packages/build.log" >&2; exit 1; }
inside 'cd /build && lintian --allow-root --fail-on error,warning *.changes' >"$packages/lintian.txt" 2>&1 || { cat "$packages/lintian.txt"; exit 1; }
tar -tf "$root"/build/lycosa_*.tar.xz | grep -v '/$' | sed 's|^[^/]*/||' | LC_ALL=C sort >"$packages/source.txt"
git ls-tree -r --name-only HEAD | grep -v '^\.gitignore$' | LC_ALL=C sort | diff - "$packages/source.txt" ||
	{ echo "the source package has other files than the last commit" >&2; exit 1; }
rm -f "$packages"/*.deb
mv "$root"/build/*.deb "$packages"
bare_let_go

echo "installing"
bare_root "$1/user"
mkdir -p "$root/packages"
rm -f "$packages"/*dbgsym* "$root"/packages/*.deb
cp "$packages"/*.deb "$root/packages"
# what an installation takes, with all that it needs beyond a bare Debian
inside 'apt-get -qq update && cd /packages
	for set in lycosa "lycosa lycosa-agents" "lycosa liblycosa0 python3-lycosa" lycosa-doc; do
		size=$(apt-get --assume-no --no-install-recommends install $(for name in $set; do echo ./"$name"_*.deb; done) |
			sed -n "s/^After this operation, \(.*\) of additional disk space.*/\1/p")
		echo "$set: $size, of which its own $(for name in $set; do dpkg-deb -f "$name"_*.deb Installed-Size; done | paste -sd +) kB"
	done' | tee "$packages/sizes.txt"
inside 'apt-get -qq -y --no-install-recommends --reinstall install /packages/*.deb >/packages/apt.log 2>&1 || { cat /packages/apt.log; exit 1; }
	test -s /usr/share/doc/lycosa/html/man/lycosa-crawl.html'

echo "using: the tests of the packages (debian/tests)"
bare_tree packages/source
inside 'apt-get -qq -y --no-install-recommends install autopkgtest apt-utils dpkg-dev >/dev/null 2>&1 && cd /packages &&
	autopkgtest -B --no-built-binaries ./*.deb source/ -- null' >"$packages/tests.log" 2>&1 || { tail -n 60 "$packages/tests.log"; exit 1; }
sed -n '/: @@@* summary/,$p' "$packages/tests.log" | grep -E '(PASS|FAIL|SKIP)'

echo "removing"
inside 'apt-get -qq -y purge "lycosa*" "liblycosa*" "python3-lycosa*" >/dev/null 2>&1
	left=$(dpkg-query -W -f "\${Package}\n" | grep lycosa || true)
	[ -z "$left" ] || { echo "still installed: $left"; exit 1; }
	left=$(find / -xdev \( -path /proc -o -path /packages -o -path /tmp/try -o -path "/var/log*" \) -prune -o -name "*lycosa*" -print)
	[ -z "$left" ] || { echo "left behind: $left"; exit 1; }'
echo "the packages were built, installed, used and removed"
