#!/bin/sh
# The life of the Debian packages: builds them of the last commit in a bare Debian, in a folder where quickstart has built before, then
# installs them in another, uses them, and removes them. As root, and with the network. SUITE=trixie is that of Debian 13.
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
cp "$packages"/*.deb "$root/packages"
inside 'rm -f /packages/*dbgsym*
	apt-get -qq update
	apt-get -qq -y --no-install-recommends --reinstall install /packages/*.deb >/packages/apt.log 2>&1 || { cat /packages/apt.log; exit 1; }'

echo "using"
inside 'cd /tmp && rm -rf try && mkdir try && cd try
	lycosa graph generate --nodes 200 --to edges web.txt
	lycosa serve --graph web.txt >serve.log & server=$!
	until grep -q : serve.log; do sleep 0.1; done
	lycosa crawl --store crawl --delay 0 --max-pages 50 -q "http://$(sed "s/.* //" serve.log)/0"
	kill $server
	lycosa store verify --store crawl
	lycosa compare --graph web.txt --policies bfs,opic --seeds roots -q >/dev/null
	python3 -c "import lycosa; print(len(lycosa.Graph(\"web.txt\").pagerank()), \"ranks from Python\")"
	test -s /usr/share/doc/lycosa/html/man/lycosa-crawl.html
	getent passwd lycosa >/dev/null
	test -s /lib/systemd/system/lycosa@.service
	cp /usr/share/doc/lycosa/examples/example.conf . && sed -i "s/^seeds.*/seeds = seeds/" example.conf
	echo http://example.org/ >seeds
	lycosa crawl --config example.conf --store none --dry-run -q >/dev/null'

echo "building a program and a policy with the development files"
inside 'apt-get -qq -y --no-install-recommends install gcc libc6-dev pkg-config >/dev/null 2>&1
	cd /tmp/try
	gcc -o rank /usr/share/doc/lycosa/examples/rank.c $(pkg-config --cflags --libs lycosa)
	./rank web.txt | head -n 2'

echo "the first pages, with nothing but the packages"
mkdir -p "$root/tmp/doors/tests/house" "$root/tmp/doors/doc"
cp tests/tap.sh "$root/tmp/doors/tests"
cp tests/house/doors.sh "$root/tmp/doors/tests/house"
inside 'cd /tmp/doors && for page in crawl compare policy; do zcat -f /usr/share/doc/lycosa/$page.md* >doc/$page.md; done
	LYCOSA=/usr/include/lycosa TEST_BUILD_DIR=/usr/bin sh tests/house/doors.sh >results || true
	grep -q "^ok" results && ! grep -v -e "^ok" -e "^1\.\." results'

echo "removing"
inside 'apt-get -qq -y purge "lycosa*" "liblycosa*" "python3-lycosa*" >/dev/null 2>&1
	left=$(dpkg-query -W -f "\${Package}\n" | grep lycosa || true)
	[ -z "$left" ] || { echo "still installed: $left"; exit 1; }
	left=$(find / -xdev \( -path /proc -o -path /packages -o -path /tmp/try -o -path "/var/log*" \) -prune -o -name "*lycosa*" -print)
	[ -z "$left" ] || { echo "left behind: $left"; exit 1; }'
echo "the packages were built, installed, used and removed"
