#!/bin/sh
# Runs ./check of the last commit in a Debian that has nothing but what debootstrap puts there: as
# root, who installs what is missing, then as a user who finds it installed. As root itself, and with
# the network.
# usage: build-aux/check-bare.sh FOLDER   (2 GB, left behind with check-root.log and check-user.log)
set -eu
cd "$(dirname "$0")/.."
. build-aux/bare.sh
[ $# = 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
bare_root "$1"

# run USER: the tree anew in a folder of the user's, and ./check in it
run() {
	chroot "$root" id "$1" >/dev/null 2>&1 || chroot "$root" useradd -m "$1"
	bare_tree "home/$1/lycosa"
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
