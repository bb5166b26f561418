# Sourced by quickstart and check: installs what is missing and builds build/lycosa.
# Needs the network only where a package is missing.

# what the build needs, and a crawl of https
packages="gcc make autoconf automake pkg-config libcurl4-openssl-dev libxml2-dev liblmdb-dev
libmicrohttpd-dev libgnutls28-dev libpsl-dev libidn2-dev libarchive-dev zlib1g-dev libxxhash-dev libjansson-dev uthash-dev
libdeflate-dev nettle-dev libsqlite3-dev libnats-dev libcmocka-dev ca-certificates"
# servers, readers and second methods of the tests; xz-utils also for make dist
test_packages="cmark-gfm curl fish groff-base jq libigraph-dev locales mandoc nats-server nginx-light openssl postgresql-doc-15
python3 python3-numpy python3-pandas r-base-core sqlite3 xz-utils zsh wget wget2 zstd"

say() { printf '\n== %s\n' "$*" >&2; }

# missing_packages PACKAGE ...: those that are not installed
missing_packages() {
	for p in "$@"; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$p"
	done
}

# install_packages [PACKAGE ...]: what the build needs, and these
install_packages() {
	install $packages "$@"
}

install_packages_for_tests() {
	install $test_packages
}

# install PACKAGE ...
install() {
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		say "no apt-get here; needed is what Debian calls: $*"
		return 0 # configure and the tests say what is really missing
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	say "installing: $missing"
	sudo=
	failed=
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
		if ! command -v sudo >/dev/null; then
			say "as root: apt-get install $missing"
			return 1
		fi
	fi
	apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
	# a server that comes with a package is for the tests to start, not for the system
	policy=/usr/sbin/policy-rc.d
	[ -e $policy ] && held= || held=yes
	[ -z "$held" ] || printf '#!/bin/sh\nexit 101\n' | $sudo sh -c "cat >$policy && chmod 755 $policy"
	$apt install -y --no-install-recommends $missing >/dev/null 2>&1 ||
		{ $apt update >/dev/null && $apt install -y --no-install-recommends $missing >/dev/null; } ||
		failed=yes
	[ -z "$held" ] || $sudo rm -f $policy
	[ -z "${failed:-}" ] || { say "could not install: $missing"; return 1; }
}

# build DIR [CONFIGURE ARGUMENT ...]: configures once, then makes
build() {
	dir=$1
	shift
	[ -x configure ] && [ configure -nt configure.ac ] && [ Makefile.in -nt Makefile.am ] || autoreconf -fi
	mkdir -p "$dir"
	[ -f "$dir/Makefile" ] && [ "$dir/Makefile" -nt configure ] || (cd "$dir" && ../configure -q "$@")
	make -s -C "$dir" -j "$(nproc)" all >"$dir/make.log" 2>&1 || { cat "$dir/make.log" >&2; return 1; }
}

# list_skipped DIR: the tests that its last `make check` skipped, a line a reason
list_skipped() {
	find "$1" -name '*.trs' | sed 's/trs$/log/' | LC_ALL=C sort | xargs grep -h '^SKIP: ' | awk '
		{
			at = index($0, "# SKIP ")
			reason = at ? substr($0, at + 7) : $0
			if (!at)
				sub(/^SKIP: [^ ]* - /, "", reason)
			sub(/^no shared data .*/, "no shared data (configure --with-shared)", reason)
			test = $2 ($3 ~ /^[0-9]+$/ ? " " $3 : "")
			tests[reason] = n[reason]++ ? tests[reason] ", " test : test
		}
		END { for (reason in n) printf "%4d %s: %s\n", n[reason], reason, tests[reason] }' |
		LC_ALL=C sort -rn >"$1/skipped.txt"
	if [ -s "$1/skipped.txt" ]; then
		say "skipped, and why ($1/skipped.txt)"
		cut -c 1-300 "$1/skipped.txt" >&2
	else
		say "no test was skipped"
	fi
}

# list_slowest DIR: the tests of its last `make check` that took longest
list_slowest() {
	say "the slowest tests: seconds, and those on a processor"
	find "$1" -mindepth 2 -maxdepth 2 -name '*.log' -newer "$1/make.log" | xargs sed -n 's/^# took \([0-9]*\) s, \([0-9]*\) s of .*/\1 \2/p;T;F' |
		paste - - | awk '{ print $1, $2, $3; all += $1; cpu += $2 } END { print all, cpu, "in all" }' | LC_ALL=C sort -rn | head -n 20 >&2
}
