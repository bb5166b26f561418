#!/bin/sh
# Another program cuts a file while lycosa reads it through a map: the kernel sends SIGBUS, as it does when a disk fails.
. "$(dirname "$0")/../tap.sh"
plan 3

# cut FILE COMMAND...: cuts the file when the command has begun to write its results, which are more than a pipe
# holds: so the command still has most of the file to read
cut() {
	file=$1
	shift
	{
		"$@" 2>errors
		echo $? >got
	} | {
		read -r first
		truncate -s 8192 "$file"
		cat >/dev/null
	}
	[ "$(cat got)" = 3 ] && [ "$(wc -l <errors)" = 1 ] && grep -q '^lycosa: .* can no longer be read' errors && return
	{ echo "status $(cat got)"; cat errors; } >problem
	return 1
}

"$lycosa" graph generate --nodes 20000 --arcs-per-node 50 --rng-seed 3 --write-urls web.urls web.txt
"$lycosa" graph convert --graph web.txt --to csr web.csr
serve --graph web.txt
head -n 40 web.urls >seeds
"$lycosa" crawl --seeds seeds --store store -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 50 --per-host 10 \
	--max-pages 2000 -q >/dev/null 2>problem
cp -r store whole
cut store/data.mdb "$lycosa" store dump --store store
result $? "a store that is cut while it is dumped: one line, status 3"
"$lycosa" store verify --store whole >problem 2>&1
result $? "a copy made before is sound"

cut web.csr "$lycosa" graph convert --graph web.csr --to edges -
result $? "a graph that is cut while it is converted: one line, status 3"
