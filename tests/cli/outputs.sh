#!/bin/sh
# Every output of every verb, and what may be in its way: a file, a folder, a folder that is not there, a file in place of a folder, a full
# disk, a link. A command ends well, or with status 2 or 3 and a line; what was there stays as it was or is replaced as a whole; nothing
# half done is left beside it.
. "$(dirname "$0")/../tap.sh"
plan 15

"$lycosa" graph generate -q --nodes 60 --arcs-per-node 4 --write-urls web.urls web.txt
"$lycosa" graph convert -q --graph web.txt --to bvgraph bv
"$lycosa" crawl http://127.0.0.1:1/ --store s --tries 1 --delay 0 -q >out 2>&1
printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.test/../../../up\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 49\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n1\r\n\r\n' >w.warc

# after: what the last command has left in the folder d, and of what kind
after() { (cd d && find . -name '?*' ! -name . | sort); }

# try CONDITION OUT WANTED COMMAND...: runs the command, in which @ stands for OUT. WANTED are the statuses that are allowed
try() {
	condition=$1 out=$2 allowed=$3
	shift 3
	n=$#
	while [ $n -gt 0 ]; do
		case $1 in *@*) set -- "$@" "${1%@*}$out${1#*@}" ;; *) set -- "$@" "$1" ;; esac
		shift
		n=$((n - 1))
	done
	"$lycosa" "$@" >results 2>errors </dev/null
	got=$?
	case " $allowed " in *" $got "*) ;; *) { echo "$condition: status $got: $*"; cat errors; } >>problem ;; esac
	[ $got = 0 ] || [ $got = 4 ] || { has_one_line errors && grep -q '^lycosa: ' errors; } || { echo "$condition: no line:"; cat errors; } >>problem
	! find . d -maxdepth 1 -name '*.part' | grep . >>problem
}

# same CONDITION LIST: only these files are in the folder d
same() {
	after >list
	echo "$2" | sed '/^$/d' | cmp -s - list || { echo "$1: not '$2' alone:"; cat list; } >>problem
}

# out KIND NAME COMMAND...: the output @ of a command, of the KIND file, folder, graph or store. The command ends with $ends
ends=0
out() {
	kind=$1 name=$2
	shift 2
	rm -rf d
	mkdir d
	try "nothing" d/x "$ends" "$@"
	[ -n "$(after)" ] || echo "nothing is written" >>problem

	rm -rf d
	mkdir -p d/x
	try "a folder" d/x "$([ $kind = file ] && echo 2 3 || echo $ends 2 3)" "$@"
	[ $kind != file ] || same "a folder" ./x

	rm -rf d
	mkdir d
	try "no folder" d/no/x "$([ $kind = file ] && echo 3 || echo $ends 2 3)" "$@"
	[ $kind != file ] || same "no folder" ""

	rm -rf d
	mkdir d
	echo precious >d/y
	try "a file for a folder" d/y/x "2 3" "$@"
	same "a file for a folder" ./y
	[ "$(cat d/y)" = precious ] || echo "the file is gone" >>problem

	rm -rf d
	mkdir d
	(umask 077 && echo precious >d/x)
	try "a file" d/x "$ends 2 3" "$@"
	if [ $kind = file ] && [ $got = $ends ]; then
		[ "$(find d/x -perm 600 -type f)" ] && [ "$(cat d/x)" != precious ] || echo "the file is not replaced, or its mode" >>problem
	else
		[ "$(cat d/x)" = precious ] || echo "the file is spoiled" >>problem
	fi

	rm -rf d
	mkdir d
	ln -s y d/x
	echo precious >d/y
	try "a link" d/x "$ends 2 3" "$@"
	[ -L d/x ] && [ -f d/y ] || echo "the link is replaced" >>problem
	[ $kind = file ] || [ "$(cat d/y)" = precious ] || echo "a file is spoiled through a link" >>problem

	# the files of a BVGraph have other names than the output, and a crawl without pages writes nothing
	[ $kind = graph ] || link_to_itself "$@"
	[ $kind = graph ] || [ $ends = 4 ] || full_disk "$@"
	verdict "$name"
}

link_to_itself() {
	ln -sfn x d/x
	try "a link to itself" d/x "2 3" "$@"
	[ -L d/x ] || echo "the link is gone" >>problem
}

full_disk() {
	[ -w /dev/full ] || return
	try "a full disk" /dev/full "$([ $kind = file ] && echo 3 || echo 2 3)" "$@"
	[ -c /dev/full ] || echo "/dev/full is replaced" >>problem
}

graph="--graph web.txt"
out file "graph convert to edges" graph convert -q $graph --to edges @
out file "graph convert to csr" graph convert -q $graph --to csr @
out graph "graph convert to bvgraph" graph convert -q $graph --to bvgraph @
out file "graph transpose" graph transpose -q $graph @
out file "graph prune --write-ids" graph prune -q $graph --urls web.urls --write-ids @ other.txt
out file "replay --order" replay $graph --seeds random:2 --policy bfs -q --order @
out file "seeds --cores" seeds $graph --method hits --count 2 -q --cores @
out file "export to csv" export --store s --pages --to csv @
out file "export to sqlite" export --store s --pages --to sqlite @
out folder "compare --out" compare $graph --seeds random:2 --policies bfs -q --out @
out store "store merge --into" store merge -q s --into @
out store "store salvage --to" store salvage -q s --to @
out folder "archive extract --to" archive extract --to @ w.warc
ends=4
dead="http://127.0.0.1:1/ --tries 1 --delay 0 -q"
out store "crawl --store" crawl $dead --store @
out file "crawl --order" crawl $dead --order @
