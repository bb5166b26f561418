#!/bin/sh
# The graphs of the catalogue: how they get here from servers on which all goes wrong, and what is checked.
. "$(dirname "$0")/../tap.sh"
needs python3
plan 13

export LYCOSA_DATA="$work/data set"
here=$LYCOSA_DATA/web-NotreDame
mkdir served
# a graph with the counts of web-NotreDame: most pages have 4 links, the others 5
awk 'BEGIN { n = 325729; m = 1497134; for (u = 0; u < n; u++) for (i = 0; i < 4 + (u < m - 4 * n); i++) print u, (u + 1 + i) % n }' |
	gzip -1 >served/web-NotreDame.txt.gz
printf '%032d  cnr-2000.graph\n' 7 >served/cnr-2000.md5sums
echo "no graph" >served/cnr-2000.graph
echo "nodes=3" >served/cnr-2000.properties
python3 "$top/tests/graph/data_server.py" served port requests &
servers=$!
wait_until $servers test -s port
at=http://127.0.0.1:$(cat port)

status 0 "$lycosa" data list && [ "$(awk -F '\t' '$4 == "no"' results | wc -l)" -gt 15 ]
result $? "the catalogue lists what it knows, of which nothing is here"

says 3 "'data:web-NotreDame' is not here: .lycosa data get web-NotreDame. fetches it" "$lycosa" graph info --graph data:web-NotreDame
result $? "a graph that is not here is named with the command that fetches it"

says 2 "the nearest is 'web-NotreDame'" "$lycosa" data get web-NotreDam
result $? "a name that the catalogue lacks is answered with the nearest"

# whole WAY STATUSES: the file comes as it is served, by answers of these statuses
whole() {
	rm -rf "$LYCOSA_DATA"
	: >requests
	status 0 "$lycosa" data get --from "$at/$1" web-NotreDame || return 1
	[ "$(awk '{ printf "%s ", $3 }' requests)" = "$2 " ] || cat requests >problem
	cmp "$here/web-NotreDame.txt.gz" served/web-NotreDame.txt.gz >>problem 2>&1
	[ ! -e "$here/web-NotreDame.txt.gz.part" ] && [ ! -e "$here/web-NotreDame.txt.gz.part.of" ] || ls "$here" >>problem
	[ ! -s problem ]
}
whole cut "200 206 206"
result $? "a download that is cut again and again goes on from where it was"
whole norange "200 200"
result $? "a server without ranges is asked for the whole file again"
whole other "200 200"
result $? "a file that changes meanwhile is taken in one version"
whole busy "503 200"
result $? "a server that is busy is asked again"
whole moved "302 200"
result $? "a redirect is followed"

rm -rf "$LYCOSA_DATA"
says 21 "the same command goes on" "$lycosa" data get --from "$at/never" web-NotreDame
result $? "a server that never sends a whole file, and has no ranges, is given up"

says 3 "redirects" "$lycosa" data get --from "$at/loop" web-Google &&
	says 3 "web-Google.txt.gz, which is not at this address: --from names another" "$lycosa" data get --from "$at/ok" web-Google
result $? "a loop of redirects and a file that is not there end with a line"

{
	# what a killed download has left: a part, of a version; of none; longer than the file
	for left in part none long; do
		rm -rf "$LYCOSA_DATA"
		mkdir -p "$here"
		head -c 1000 served/web-NotreDame.txt.gz >"$here/web-NotreDame.txt.gz.part"
		[ $left = none ] || echo '"1"' >"$here/web-NotreDame.txt.gz.part.of"
		[ $left != long ] || cat served/web-NotreDame.txt.gz served/web-NotreDame.txt.gz >"$here/web-NotreDame.txt.gz.part"
		: >requests
		"$lycosa" data get -q --from "$at/ok" web-NotreDame >results || cat results
		cmp "$here/web-NotreDame.txt.gz" served/web-NotreDame.txt.gz
		case $left in part) wanted=206 ;; none) wanted=200 ;; long) wanted="416 200" ;; esac
		[ "$(awk '{ printf "%s ", $3 }' requests)" = "$wanted " ] || { echo "$left"; cat requests; }
	done
} >problem 2>&1
verdict "what a killed download has left is gone on from, or thrown away"

{
	"$lycosa" data verify >results || cat results
	awk -F '\t' '$1 == "web-NotreDame" && $2 == 325729 && $3 == 1497134 && $6 == "counts" { n++ } END { if (n != 1) print "no row" }' results
	"$lycosa" graph info --graph data:web-NotreDame | awk '$1 == "nodes" && $2 != 325729'
	(cd "$here" && sha256sum -c SHA256SUMS) >sums || cat sums
	# another graph in its place
	(echo "# another"; zcat served/web-NotreDame.txt.gz) | gzip -1 >"$here/web-NotreDame.txt.gz"
	says 3 "has changed: SHA-256 [0-9a-f]* is wanted" "$lycosa" data verify || cat problem
	rm "$here/SHA256SUMS"
	gzip -dc served/web-NotreDame.txt.gz | sed 1d | gzip -1 >"$here/web-NotreDame.txt.gz"
	says 3 "has 325729 nodes and 1497133 arcs, and 325729 and 1497134 are wanted" "$lycosa" data verify || cat problem
} >wrong 2>&1
mv wrong problem
verdict "the first download's sums are written down, and a file that changes is told; so are counts that differ"

says 3 "differs from its owner's: MD5 0*7 is wanted" "$lycosa" data get --from "$at/ok" cnr-2000 && [ ! -e "$LYCOSA_DATA/cnr-2000/SHA256SUMS" ]
result $? "a file that differs from its owner's list of sums is told, and not written down"
