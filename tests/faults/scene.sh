# Sourced by tests/storage/faults.sh and build-aux/check-faults.sh, which know $lycosa, $build and $faults.

# What fails, and how: no room (28), EIO (5), half of a write (0), no memory (12), no descriptor (24), no
# thread (11), no buffers (105), no network (101), refused (111), reset (104), a broken pipe (32), a signal (4).
faults_of_files="write:28 write:5 write:0 read:5 sync:5 sync:28 mmap:12 open:24 open:5 malloc:12 thread:11"
faults_of_network="socket:24 socket:105 connect:101 connect:111 send:104 send:32 recv:104 poll:4 poll:12"
crawl_commands="crawl archive resume"
graph_commands="info dump verify replay replay-store compare seeds convert rank"

# make_web: 60 pages in the current folder, to be served
make_web() {
	"$lycosa" graph generate --nodes 60 --rng-seed 2 --write-urls web.urls web.txt
}

# make_scene FOLDER PORT: what case.sh needs beside the web, served at PORT; and what each command does while
# nothing fails
make_scene() {
	(
		cd "$1" || exit 1
		mkdir cases expected
		head -n 5 web.urls >seeds.txt
		printf '0\n1\n' >ids.txt
		ln -sfn "$build/tests/faults/shim.so" .shim.so
		cat >settings <<END
lycosa='$lycosa'
shim='$1/.shim.so' # a link: a blank would end a path of LD_PRELOAD
retry_failed='$("$lycosa" crawl --help=all 2>/dev/null | grep -q -e --retry-failed && echo --retry-failed)'
crawl_flags='--seeds $1/seeds.txt -H --connect-to ::127.0.0.1:$2 --delay 0 --parallel 4 --per-host 4 --total 60
	-q --max-time 20s --max-pages 1000 --first-byte-timeout 2s --connect-timeout 2s --read-timeout 2s --timeout 5s'
END
		. ./settings
		"$lycosa" crawl --store whole $crawl_flags >/dev/null &&
			"$lycosa" crawl --store half $crawl_flags --max-pages 30 >/dev/null &&
			"$lycosa" store dump --store whole >pages || exit 1
		for command in $graph_commands; do
			sh "$faults/case.sh" "$1" "$command" none 0 0 2>/dev/null || exit 1
		done
	)
}
