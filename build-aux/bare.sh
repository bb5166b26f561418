# Sourced by check-bare.sh and check-packages.sh: a Debian that has nothing but what debootstrap puts there. It needs root
# and the network. How apt gets through to its mirror is taken from this machine at run time.

suite=${SUITE:-bookworm}

# bare_root FOLDER: makes a Debian in FOLDER/$suite, unless there is one, and mounts what its programs need; its path is
# left in $root
bare_root() {
	command -v debootstrap >/dev/null || { echo "debootstrap is needed: apt-get install debootstrap" >&2; exit 2; }
	[ "$(id -u)" = 0 ] || { echo "only root can make a bare Debian" >&2; exit 2; }
	mkdir -p "$1"
	folder=$(cd "$1" && pwd)
	root=$folder/$suite
	trap bare_let_go EXIT
	trap 'exit 130' INT TERM
	[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$root" ${MIRROR:-}
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	apt-config dump | grep -iE '^Acquire::[a-z]+::(proxy|verify)' >"$root/etc/apt/apt.conf.d/99mirror" || true
	bare_mount
}

# bare_mount: what programs in $root need
bare_mount() {
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --make-rslave "$root/dev"
}

bare_let_go() {
	umount -R "$root/dev" 2>/dev/null || true
	umount "$root/proc" 2>/dev/null || true
}

# bare_tree FOLDER: the last commit's files into a folder of $root
bare_tree() {
	rm -rf "${root:?}/$1"
	mkdir -p "$root/$1"
	git archive HEAD | tar -x -C "$root/$1"
}
