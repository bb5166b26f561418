# Sourced by quickstart and check: installs what is missing, and brings a build folder up to date with the files, and with
# what this machine has. Needs the network only where a package is missing.

# what the build needs, and a crawl of https; of names with a bar between them one is enough
packages="gcc make autoconf automake pkgconf|pkg-config libcurl4-openssl-dev libxml2-dev liblmdb-dev
libmicrohttpd-dev libgnutls28-dev libpsl-dev libicu-dev libarchive-dev zlib1g-dev libxxhash-dev libjansson-dev uthash-dev
libdeflate-dev libbrotli-dev nettle-dev libsqlite3-dev libnats-dev libzstd-dev libcmocka-dev ca-certificates"
# what the Python module needs: arrays, and frames of studies
python_packages="python3 python3-numpy python3-pandas"
# servers, readers and second methods of the tests, and what each of them is for
test_packages="abigail-tools: the binary interface of the library is not compared with the one that is kept
chromium|chromium-browser: the pages of the monitor, the archive and a mirror are not looked at in a browser
clang-format: the width and the shape of the sources are not checked
cmark-gfm: the site of the documents is not made
curl: the monitor, the metrics and the archive are not asked by another client
fish: completion in fish is not tested
g++: the library's header is not read as C++
groff-base: the manual pages are not read by groff
httrack: the caches of HTTrack are not read
jq: most crawls are not tested, since nothing reads their JSON
libigraph-dev: PageRank, HITS and components are not compared with those of igraph
locales: nothing is tested in another language's locale
logrotate: the rotation of the service's log is not tested
mandoc: the manual pages are not made as HTML
nats-server: crawls by several agents are not tested
nginx|nginx-light: crawls of a server that is not lycosa's own are not tested
openssl: TLS is not tested
postgresql-doc|postgresql-doc-15|postgresql-doc-17: no real site is crawled
prometheus: the alerts and metrics are not checked by promtool
python3: most servers of the tests, and the Python module, are not tested
python3-numpy: the Python module is not tested
python3-pandas: exported tables and the values of studies are not read by pandas
python3-sklearn: the classifier of doc/examples is not tried
r-base-core: statistics are not compared with those of R
sqlite3: exported databases are not read, and no crawl is checked in SQL
systemd: the unit of the service is not checked
wget: the archives of wget are not read
wget2: no other crawler's manners are judged
xz-utils: no real pages are crawled
zsh: completion in zsh is not tested
zstd: pages and archives that are packed by zstd are not read"

policy=/usr/sbin/policy-rc.d # says to dpkg whether a service may be started

say() { printf '\n== %s\n' "$*" >&2; }

# missing_packages NAME ...: those that are not installed; a NAME with bars is several, of which one is enough
missing_packages() {
	installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | tr '\n' ' ')"
	for name in "$@"; do
		(
			IFS='|'
			for one in $name; do
				case $installed in *" $one "*) exit 1 ;; esac
			done
		) && printf '%s ' "$name" || true
	done
}

# known_packages NAME ...: of each NAME the first that the archive has
known_packages() {
	for name in "$@"; do
		for one in $(echo "$name" | tr '|' ' '); do
			apt-cache madison "$one" 2>/dev/null | grep -q . && printf '%s ' "$one" && break
		done
	done
}

# install_packages [NAME ...]: what the build needs, and these
install_packages() {
	install $packages "$@" || { say "could not install: $missing($refusal)"; return 1; }
}

# install_packages_for_tests: as many as there are to be had; a line tells what each of the others costs
install_packages_for_tests() {
	names=$(printf '%s\n' "$test_packages" | sed 's/:.*//')
	install $names || {
		reason=$refusal
		for name in $missing; do
			install "$name" || true # one that cannot be installed keeps no other from it
		done
	}
	command -v dpkg-query >/dev/null || return 0 # the tests say what is really missing
	missing=$(missing_packages $names)
	[ -z "$missing" ] || say "could not install what some tests need ($reason)"
	for name in $missing; do
		printf '%s\n' "$test_packages" | grep "^$name: " | sed 's/^\([^|:]*\)[^:]*/no \1/' >&2
	done
}

# install NAME ...: if some are not to be had, they are left in $missing, and why in $refusal
install() {
	missing= refusal=
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		say "no apt-get here; needed is what Debian calls: $*"
		return 0 # configure and the tests say what is really missing
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	known=$(known_packages $missing)
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
		command -v sudo >/dev/null || { refusal="as root: apt-get install $known"; return 1; }
	fi
	if [ "$(echo $known | wc -w)" -lt "$(echo $missing | wc -w)" ]; then
		update || true
		known=$(known_packages $missing)
	fi
	[ -z "$known" ] || say "installing: $known"
	# a server that comes with a package is for the tests to start, not for the system
	[ -e $policy ] && held= || held=yes
	trap 'install_ends; exit 130' INT TERM
	[ -z "$held" ] || printf '#!/bin/sh\nexit 101\n' | $sudo sh -c "cat >$policy && chmod 755 $policy"
	[ -z "$known" ] || apt_get install $known || { update && apt_get install $known; } || true
	install_ends
	missing=$(missing_packages "$@")
	[ -n "$refusal" ] || refusal="the archive has no package of the name"
	[ -z "$missing" ]
}

install_ends() {
	trap - INT TERM
	[ -z "$held" ] || $sudo rm -f $policy
}

# update: once, since a network that is not there keeps apt-get waiting
updated=
update() {
	[ -z "$updated" ] || return
	updated=yes
	apt_get update
}

# apt_get WORD ...: without questions, and removes nothing; its first complaint is left in $refusal
apt_get() {
	complaints=$($sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends --no-remove \
		-o DPkg::Lock::Timeout=300 "$@" 2>&1 >/dev/null) && return
	refusal=$(printf '%s\n' "$complaints" | grep -m 1 '^E: ' || printf '%s\n' "$complaints" | tail -n 1)
	return 1
}

# build DIR [CONFIGURE ARGUMENT ...]: makes what has changed since the last time. What the folder was configured with before
# holds on, and configure runs again where its files, its arguments, or what it looks for on this machine have changed.
build() {
	dir=$1
	shift
	mkdir -p "$dir"
	arguments=$("$dir/config.status" --config 2>/dev/null) || arguments=
	for argument in "$@"; do
		case " $(echo "$arguments" | tr -d "'") " in *" $(echo "$argument" | tr -d "'") "*) ;; *) arguments="${arguments:+$arguments }$argument" ;; esac
	done
	configured_for "$(echo "$arguments" | tr -d "'")" >"$dir/asked"
	if ! [ -f "$dir/Makefile" ] || ! cmp -s "$dir/asked" "$dir/answered"; then
		rm -f "$dir/answered"
		configure_again >"$dir/configure.log" 2>&1 || { cannot configure "$dir/configure.log"; return 1; }
		mv "$dir/asked" "$dir/answered"
	fi
	make -s -C "$dir" -j "$(nproc)" all >"$dir/make.log" 2>&1 || { cannot build "$dir/make.log"; return 1; }
}

# configured_for ARGUMENTS: what the answers of configure depend on
configured_for() {
	printf '%s\n' "$(pwd)" "$1" "${PKG_CONFIG_PATH-}"
	ls -d ../shared/data 2>/dev/null || true
	for program in "${CC:-cc}" automake autoconf pkg-config objcopy python3; do
		command -v ${program%% *} && $program --version 2>&1 | head -n 1
	done
	sed -n 's/.*\(LYCOSA_NEED\|PKG_CHECK_MODULES\)(\[[A-Z0-9]*\], \[\([^]]*\)\].*/\2/p' configure.ac | sed 's/>= *[^ ]*//g' |
		tr -s ' ' '\n' | while read -r module; do
		echo "$module $(pkg-config --modversion "$module" 2>/dev/null)"
	done
}

# configure_again: configures $dir with $arguments
configure_again() {
	[ -x configure ] && [ -f Makefile.in ] && ! [ configure.ac -nt configure ] && ! [ Makefile.am -nt Makefile.in ] &&
		head -n 1 Makefile.in | grep -qF "$(automake --version | sed -n '1s/.* //p') " || autoreconf -fi || return
	(cd "$dir" && eval "../configure -q $arguments")
}

# cannot WHAT LOG: the first error of a log, in a line
cannot() {
	say "cannot $1: $(grep -m 1 -E '[Ee]rror: |\*\*\* |not found|undefined reference|No space' "$2" || tail -n 1 "$2") (all of it: $2)"
}

# run_tests DIR JOBS: make check, without its lines on the tests that are skipped, which list_skipped lists by reason
run_tests() {
	{ make -s -C "$1" -j "$2" check && echo 0 >"$1/status" || echo $? >"$1/status"; } | sed -u '/^SKIP: /d'
	return "$(cat "$1/status")"
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
	find "$1" -mindepth 2 -name '*.log' -newer "$1/make.log" | xargs sed -n 's/^# took \([0-9]*\) s, \([0-9]*\) s of .*/\1 \2/p;T;F' |
		paste - - | awk '{ print $1, $2, $3; all += $1; cpu += $2 } END { print all, cpu, "in all" }' | LC_ALL=C sort -rn | head -n 20 >&2
}
