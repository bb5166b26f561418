#!/bin/sh
# Tries the Containerfile on the last commit: builds the image by podman or docker, crawls in a container of it, and again as another user in
# a folder of this machine. Where the base image cannot be had, podman takes a bare Debian under its name; where neither program can build,
# the steps are run in a bare Debian instead. As root and with the network.
# usage: build-aux/check-container.sh FOLDER   (2 GB)
set -eu
cd "$(dirname "$0")/.."
# crun, which podman runs containers by, refuses a machine that has control groups of both versions: here it sees the first alone
if mountpoint -q /sys/fs/cgroup/unified 2>/dev/null && [ -z "${CGROUPS_ARE_HIDDEN:-}" ]; then
	CGROUPS_ARE_HIDDEN=yes exec unshare -m sh -c 'umount /sys/fs/cgroup/unified; exec "$@"' sh build-aux/check-container.sh "$@"
fi
. build-aux/bare.sh
[ $# = 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }

# what is done in the image, as its user: a crawl of a web that it serves itself
try='set -eu; cd /crawl; rm -rf try; mkdir try; cd try; lycosa --version
	lycosa graph generate --nodes 200 --to edges web.txt
	lycosa serve --graph web.txt >serve.log & server=$!
	until grep -q : serve.log; do sleep 0.1; done
	lycosa crawl --store crawl --delay 0 --max-pages 50 --monitor -q "http://$(sed "s/.* //" serve.log)/0" >/dev/null
	kill $server
	lycosa store verify --store crawl
	test -s /usr/share/man/man1/lycosa-ctl.1 && test ! -w /usr/bin/lycosa'

mkdir -p "$1"
top=$(cd "$1" && pwd)

# base_image PROGRAM: has the image that the Containerfile begins with, or makes one of a bare Debian
base_image() {
	image=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' Containerfile | head -n 1)
	"$1" image inspect "$image" >/dev/null 2>&1 || "$1" pull -q "$image" >/dev/null 2>&1 && return
	[ "$1" = podman ] || return
	echo "$image cannot be had: a bare Debian takes its place"
	bare_root "$top/base"
	bare_let_go
	tar -C "$root" --exclude='./proc/*' --exclude='./dev/*' -c . | podman import -q - "$image" >/dev/null
}

# run PROGRAM FLAG ... lycosa-check ARGUMENT ...: a container that is gone afterwards, with limits that also a root of little power may set
run() {
	by=$1
	shift
	"$by" run --rm --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 "$@"
}

for program in podman docker; do
	command -v $program >/dev/null && $program info >/dev/null 2>&1 && base_image $program || continue
	echo "building with $program"
	rm -rf "$top/context" "$top/mine"
	mkdir "$top/context" "$top/mine"
	git archive HEAD | tar -x -C "$top/context"
	runs=yes
	[ $program = docker ] || run $program --network none "$image" true >/dev/null 2>&1 || runs=
	$program build --network host $([ $program = docker ] || echo "--pull=never --isolation chroot") -t lycosa-check "$top/context" >"$top/build.log" 2>&1 ||
		{ tail -n 30 "$top/build.log"; exit 1; }
	if [ -n "$runs" ]; then
		run $program --network none --entrypoint /bin/sh lycosa-check -c "$try"
		chown 4711:4711 "$top/mine"
		echo "in a folder of this machine, as a user of it"
		run $program --network none --user 4711:4711 -v "$top/mine:/crawl" --entrypoint /bin/sh lycosa-check -c "$try"
		run $program --network none --user 4711:4711 -v "$top/mine:/crawl" lycosa-check store info --store try/crawl >"$top/info"
		grep -q '^crawled	50$' "$top/info"
		[ "$(stat -c %u "$top/mine/try/crawl/data.mdb")" = 4711 ]
	else
		echo "$program may run no container here: the image is tried in a chroot"
		container=$($program create lycosa-check)
		root=$($program mount "$container")
		trap bare_let_go EXIT
		bare_mount
		chroot "$root" setpriv --reuid lycosa --regid lycosa --clear-groups env -i PATH=/usr/bin:/bin HOME=/crawl sh -c "$try"
		bare_let_go
		$program rm "$container" >/dev/null
	fi
	echo "the image works"
	exit
done

echo "neither podman nor docker can build here: the steps are run in a bare Debian"

# the instructions, a line each
steps() {
	sed -e :a -e '/\\$/N; s/\\\n//; ta' Containerfile | grep -v '^#' | grep .
}

stage=0
steps >"$top/steps"
while read -r word rest <&3; do
	case $word in
	FROM)
		[ $stage = 0 ] || bare_let_go
		stage=$((stage + 1))
		bare_root "$top/stage$stage"
		;;
	RUN)
		echo "RUN $(printf %s "$rest" | cut -c 1-70) ..."
		chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/root sh -c "$rest" \
			>"$top/step.log" 2>&1 </dev/null || { tail -n 30 "$top/step.log"; exit 1; }
		;;
	COPY)
		case $rest in
		--from=build*)
			# shellcheck disable=SC2086 # words
			set -- $rest
			(cd "$top/stage1/$suite$2" && tar -c .) | tar -x -C "$root$3"
			;;
		*) bare_tree src ;;
		esac
		;;
	USER) user=$rest ;;
	*) ;;
	esac
done 3<"$top/steps"
chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups env -i PATH=/usr/bin:/bin HOME=/crawl sh -c "$try"
echo "the steps of the image work"
