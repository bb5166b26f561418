#!/bin/sh
# Writes a large graph of hosts in the form of Common Crawl's, for measurements.
#
#	build-aux/make-hosts.sh LYCOSA FOLDER [HOSTS [LINKS-A-HOST]]
#
# makes FOLDER/vertices.txt.gz (ID TAB reversed.host) and FOLDER/edges.txt.gz (FROM TAB TO) with 10,000,000 hosts, four of a domain, and
# six links a host unless the numbers are given; the links are those of `lycosa graph generate`.
set -e
lycosa=$1 folder=$2 hosts=${3:-10000000} links=${4:-6}
mkdir -p "$folder"
seq 0 $((hosts - 1)) | LC_ALL=C awk 'BEGIN { split(" .blog .shop .www", part, " ") }
	{ printf "%s\ttest.d%08d%s\n", $1, int($1 / 4), $1 % 4 ? part[$1 % 4] : "" }' | gzip -1 >"$folder/vertices.txt.gz"
"$lycosa" graph generate --nodes "$hosts" --arcs-per-node "$links" --to edges -q - | LC_ALL=C awk '!/^#/ { print $1 "\t" $2 }' |
	gzip -1 >"$folder/edges.txt.gz"
