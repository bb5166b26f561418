#!/bin/sh
# For results.sh: the data sets as graphs in $WORK, mapped, with their URLs beside them, and a list of
# them in $WORK/graphs: name TAB size (small or big). What is missing stands in $WORK/missing.
set -eu
data=$1
cd "$WORK"
: >graphs
: >missing

# add NAME SIZE GRAPH [URLS]
add() {
	if [ ! -e "$3" ] && [ ! -e "$3.graph" ]; then
		echo "$1" >>missing
		return
	fi
	"$LYCOSA" graph convert --graph "$3" --to csr "$1.csr" >/dev/null 2>&1
	[ $# -lt 4 ] || cp "$4" "$1.urls.gz"
	printf '%s\t%s\n' "$1" "$2" >>graphs
}

add cnr-2000 big "$data/cnr-2000/cnr-2000"
for name in cs-stanford uic-2021 uci-ics-2016 uci-ics-2016-full walk-hosts-old walk-hosts-new; do
	add $name small "$data/$name/$name.txt.gz" "$data/$name/$name.urls.gz"
done
add hollins small "$data/hollins/hollins.dat"
add california small "$data/california/gr0.California"
add toronto-Movies small "$data/toronto-Movies/adj_list"
# all months together; hosts numbered as they come
links=$data/canpol/sitelinks-fixed-May13.txt
if [ -e "$links" ]; then
	awk -F '\t' '{ for (i = 2; i < 4; i++) if (!($i in id)) id[$i] = n++; print id[$2] "\t" id[$3] }' \
		"$links" >canpol.txt
fi
add canpol small canpol.txt
# generated: the seed is in the name
for seed in 1 2 3; do
	"$LYCOSA" graph generate --nodes 20000 --rng-seed $seed --write-urls urls --to edges g.txt 2>/dev/null
	gzip -c urls >generated-$seed.gz
	add generated-$seed small g.txt generated-$seed.gz
done
