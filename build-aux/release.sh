#!/bin/sh
# The checklist of a release, a line for each item: whether the version is the same everywhere, the manual pages, the site, the tarball (the
# same bytes twice), the bill of materials, the interface of the library beside the one kept in lib/lycosa.abi, and what `./check all` has
# found on this commit. Status 0: FOLDER has what is published, with sums. REHEARSAL=1 accepts a NEWS that says "not yet released" and a
# table of `./check all` that is older.
# usage: build-aux/release.sh FOLDER
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# = 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
. build-aux/prepare.sh
mkdir -p "$1" && into=$(cd "$1" && pwd) || exit 1
failed=0

# item WHAT COMMAND...: says whether the command ends with 0, and shows what it printed where it does not
item() {
	what=$1
	shift
	if "$@" >"$into/item.log" 2>&1; then
		echo "ok: $what"
	else
		echo "NOT OK: $what"
		sed 's/^/    /' "$into/item.log" | tail -n 20
		failed=1
	fi
}

version=$(sed -n 's/^AC_INIT(\[lycosa\], \[\([^]]*\)\].*/\1/p' configure.ac)
commit=$(git rev-parse --short=12 HEAD)

is_committed() {
	left=$(git status --porcelain --untracked-files=no)
	[ -z "$left" ] || { echo "$left"; return 1; }
}
has_one_version() {
	head -n 1 NEWS | grep -q "^lycosa $version (" || { echo "NEWS: $(head -n 1 NEWS)"; return 1; }
	[ -n "${REHEARSAL:-}" ] || ! head -n 1 NEWS | grep -q 'not yet' || { echo "NEWS says 'not yet released'"; return 1; }
	head -n 1 debian/changelog | grep -q "^lycosa ($version)" || { echo "debian/changelog: $(head -n 1 debian/changelog)"; return 1; }
	grep -qx "version: $version" CITATION.cff || { echo "CITATION.cff has another version"; return 1; }
	build/lycosa --version | grep -qw "$version" || { echo "lycosa --version: $(build/lycosa --version)"; return 1; }
}
manual_is_sound() { mandoc -T lint -W warning doc/man/*.1; }
make_site() { rm -rf "$into/site" && python3 doc/site/site.py . "$into/site"; }
tarball_is_the_same_twice() {
	for time in first second; do
		make -s -C build dist-xz && mv "build/lycosa-$version.tar.xz" "$into/$time.tar.xz" || return 1
	done
	cmp "$into/first.tar.xz" "$into/second.tar.xz" && rm "$into/second.tar.xz" && mv "$into/first.tar.xz" "$into/lycosa-$version.tar.xz"
}
write_materials() {
	build-aux/sbom.sh >"$into/lycosa-$version.spdx" && [ "$(grep -c '^PackageName: ' "$into/lycosa-$version.spdx")" -ge 10 ]
}
interface_is_kept() { build-aux/abi.sh "$into/abi" && rm -rf "$into/abi"; }
all_has_passed() {
	table=$(sed -n '/<!-- last run: begin/,/<!-- last run: end/p' doc/reliability.md)
	echo "$table" | grep -q '^| `' || { echo "the table of the last run in doc/reliability.md is empty: ./check all fills it"; return 1; }
	bad=$(echo "$table" | grep -e 'failed\*\*' -e '| not run |')
	[ -z "$bad" ] || { echo "$bad"; return 1; }
	[ -n "${REHEARSAL:-}" ] || ! echo "$table" | grep '^| `' | grep -v " $(git rev-parse --short=12 HEAD^) \|$commit" ||
		{ echo "these are of another commit than the last but one, whose only change is the table"; return 1; }
}

item "everything is committed" is_committed
item "it builds" build build
item "the version is $version everywhere" has_one_version
item "the manual pages have no fault that mandoc finds" manual_is_sound
item "the site has no link that leads nowhere" make_site
item "the tarball is the same each time" tarball_is_the_same_twice
item "the bill of materials names each library" write_materials
item "the library has the interface that its soname promises" interface_is_kept
item "./check all has passed" all_has_passed
rm -f "$into/item.log"
[ $failed = 0 ] || exit 1
(cd "$into" && sha256sum "lycosa-$version.tar.xz" "lycosa-$version.spdx" >SHA256SUMS)
echo "lycosa $version is in $into"
