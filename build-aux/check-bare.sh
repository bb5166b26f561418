#!/bin/sh
# Runs ./check of the last commit in a Debian that has nothing but what debootstrap puts there: as
# root, who installs what is missing, then as a user who finds it installed. As root itself, and with
# the network. How apt gets through to its mirror is taken from this machine at run time.
# usage: build-aux/check-bare.sh FOLDER   (2 GB, left behind with check-root.log and check-user.log)
set -eu
cd "$(dirname "$0")/.."
here=$(pwd) # a worktree's .git names its repository by an absolute path
[ $# = 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
suite=${SUITE:-bookworm}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/$suite

let_go() {
	umount -R "$root/dev" 2>/dev/null || true
	umount "$root/proc" 2>/dev/null || true
}
trap let_go EXIT
trap 'exit 130' INT TERM

[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$root" ${MIRROR:-}
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep -iE '^Acquire::[a-z]+::(proxy|verify)' >"$root/etc/apt/apt.conf.d/99mirror" || true
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"

# run USER: the tree anew in a folder of the user's, and ./check in it
run() {
	home=$root/home/$1
	chroot "$root" id "$1" >/dev/null 2>&1 || chroot "$root" useradd -m "$1"
	rm -rf "$home/lycosa"
	mkdir -p "$home/lycosa"
	git -C "$here" archive HEAD | tar -x -C "$home/lycosa"
	chroot "$root" chown -R "$1:" "/home/$1/lycosa"
	status=0
	chroot "$root" su - "$1" -c "cd /home/$1/lycosa && http_proxy='${http_proxy:-}' \
		https_proxy='${https_proxy:-}' ./check" >"$folder/check-$1.log" 2>&1 || status=$?
	echo "./check as $1: status $status"
	awk '/^# (TOTAL|PASS|SKIP|FAIL|ERROR):/' "$folder/check-$1.log"
	sed -n '/^== .*skipped/,$p' "$folder/check-$1.log"
	[ $status = 0 ] || failed=yes
}

failed=
mkdir -p "$root/home/root"
run root
run tester
[ -z "$failed" ]
