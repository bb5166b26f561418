#!/bin/sh
# Runs quickstart and check of the last commit in Debians that have nothing but what debootstrap puts there: of each SUITE, as root, and as a
# user with sudo whose folder has a blank in its name, and who cannot write to /dev/shm. Both run ./quickstart && ./check, then ./check
# again, without the network and with a configure.ac that has changed; and in another Debian as bare ./check alone. A line tells what
# became of each. As root, and with the network.
# usage: build-aux/check-bare.sh FOLDER [SUITE ...]   (bookworm and trixie; 15 GB, left behind with a log of each)
# WHO="root user" and WHAT="both alone" name a part of this.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
into=$1
shift
command -v ip >/dev/null || { echo "ip is needed: apt-get install iproute2" >&2; exit 2; }

# as_root, as_user: the account and its folder
as_root() {
	account=root
	home=root/lycosa
	bare_tree "$home"
}
as_user() {
	account=tester
	home="home/tester/my folder/lycosa"
	inside 'apt-get -qq update && apt-get -qq -y --no-install-recommends install sudo && useradd -m -s /bin/bash tester &&
		echo "tester ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/tester' >"$root.log" 2>&1
	mount -t tmpfs -o ro none "$root/dev/shm"
	bare_tree "$home"
	inside 'chown -R tester: /home/tester'
}

# inside COMMANDS: in $root
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -euc "$1"; }

# makes the folder $0 the root of the command, which a user may then have mounts in: the kernel refuses these in a chroot
# shellcheck disable=SC2016 # the inner shell's
pivot='cd "$0"; pivot_root . mnt; cd /; umount -l mnt; exec "$@"'

# run NAME COMMANDS [PROGRAM ...]: the account's, in its folder; under the program, and with a line on how they ended
run() {
	name=$suite-$who-$1
	commands=$2
	shift 2
	begun=$(date +%s)
	status=0
	"$@" unshare -m sh -euc "$pivot" "$root" su - $account -c "cd '/$home' && http_proxy='${http_proxy:-}' https_proxy='${https_proxy:-}' && export http_proxy https_proxy
		$commands" >"$folder/$name.log" 2>&1 </dev/null || status=$?
	[ $status = 0 ] || failed=yes
	printf '%s, %s min,%s, skipped:%s: status %s\n' "$name" $((($(date +%s) - begun + 30) / 60)) \
		"$(awk '/^# (PASS|SKIP|FAIL|ERROR):/ { n[$2] += $3 } END { for (what in n) printf " %s %d", tolower(what), n[what] }' "$folder/$name.log")" \
		"$(sed 's/: .*//; s/^ */ /; s/$/,/' "$root/$home/build/skipped.txt" 2>/dev/null | tr -d '\n')" $status
}

failed=
[ $# -gt 0 ] || set -- bookworm trixie
for SUITE in "$@"; do
	. build-aux/bare.sh
	for who in ${WHO:-root user}; do
		for what in ${WHAT:-both alone}; do
			bare_copy "$into" "$suite-$who-$what"
			as_$who
			case $what in
			both)
				run both './quickstart && ./check'
				echo '# a later version' >>"$root/$home/configure.ac"
				run again ./check unshare -n sh -c 'ip link set lo up && exec "$@"' sh
				;;
			alone) run alone ./check ;;
			esac
			bare_let_go
		done
	done
done
[ -z "$failed" ]
