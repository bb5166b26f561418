# Sourced by quickstart and check: installs what is missing and builds build/lycosa.
# Needs the network only where a package is missing.

packages="gcc make autoconf automake pkg-config libcurl4-openssl-dev libxml2-dev liblmdb-dev
libmicrohttpd-dev libpsl-dev libidn2-dev libarchive-dev libxxhash-dev libjansson-dev uthash-dev
libdeflate-dev libmd-dev libcmocka-dev"

say() { printf '\n== %s\n' "$*" >&2; }

missing_packages() {
	for p in $packages "$@"; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$p"
	done
}

# install [PACKAGE ...]: what the build needs, and these
install_packages() {
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		say "no apt-get here; the build needs what Debian calls: $(echo $packages "$@")"
		return 0 # configure says what is really missing
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	say "installing: $missing"
	sudo=
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
