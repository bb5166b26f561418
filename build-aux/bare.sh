# Sourced by check-bare.sh, check-packages.sh and check-container.sh: a Debian that has nothing but what debootstrap puts there. It needs root
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

# bare_copy FOLDER NAME: a copy of the Debian in FOLDER/$suite, which stays as debootstrap made it; its path is left in $root. All
# copies share the files of packages that apt-get has fetched.
bare_copy() {
	bare_root "$1"
	bare_let_go
	rm -rf --one-file-system "${folder:?}/$2"
	cp -a "$root" "$folder/$2"
	root=$folder/$2
	mkdir -p "$folder/packages-$suite/partial"
	[ -e "$root/etc/hosts" ] || printf '127.0.0.1\tlocalhost %s\n::1\tlocalhost\n' "$(hostname)" >"$root/etc/hosts"
	bare_mount
	mount --bind "$folder/packages-$suite" "$root/var/cache/apt/archives"
}

# bare_mount: what programs in $root need; a root that is a mount, as every system has, is what those need that make mounts of their own
bare_mount() {
	mount --bind "$root" "$root"
	mount --make-private "$root"
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --make-rslave "$root/dev"
}

bare_let_go() {
	umount "$root/var/cache/apt/archives" 2>/dev/null || true
	umount -R "$root/dev" 2>/dev/null || true
	umount "$root/proc" 2>/dev/null || true
	umount "$root" 2>/dev/null || true
}

# bare_tree FOLDER: the last commit's files into a folder of $root
bare_tree() {
	rm -rf --one-file-system "${root:?}/$1"
	mkdir -p "$root/$1"
	git archive HEAD | tar -x -C "$root/$1"
}
