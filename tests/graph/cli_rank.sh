#!/bin/sh
# Rankings by a crawl: what they say of the replay, what they need, how like others they are.
. "$(dirname "$0")/../tap.sh"
plan 11

"$lycosa" graph generate --nodes 600 --arcs-per-node 5 --rng-seed 4 --write-urls web.urls web.txt
crawl="--seeds random:2 --batch 20 --total 500 --rng-seed 3"

rank() { "$lycosa" rank --graph web.txt "$@" 2>>problem; }

for policy in ieca fica; do
	# shellcheck disable=SC2086 # words
	"$lycosa" replay --graph web.txt $crawl --policy $policy --policy-opt $policy.beta=0.2 --order - --keys 2>>problem |
		awk -F '\t' '{ print $2 + 0 "\t" $1 }' >keys
	# shellcheck disable=SC2086 # words
	rank --by $policy $crawl --policy-opt beta=0.2 --all | awk -F '\t' '!/^[#i]/ { print $1, $2 }' >all
	sort -k 1,1g -k 2,2n keys | head -n 50 | cut -f 2 >wanted
	# shellcheck disable=SC2086 # words
	rank --by $policy $crawl --policy-opt beta=0.2 --top 50 | awk -F '\t' '!/^[#i]/ { print $1 }' | diff wanted - >>problem
	[ ! -s problem ] && [ "$(wc -l <all)" -eq 600 ] &&
		[ "$(awk '$2 != "inf"' all | wc -l)" -eq "$(wc -l <keys)" ] && [ "$(wc -l <keys)" -lt 600 ]
	result $? "$policy ranks by the keys of its replay; what is not reached is infinitely far"
done

# shellcheck disable=SC2086 # words
rank --by opic $crawl --all >cash && grep -q '^# policy: opic c0=1$' cash &&
	awk -F '\t' '!/^[#i]/ && ($2 < $3 || ($3 == 0) != ($2 == 0)) { print }' cash >problem && [ ! -s problem ] &&
	[ "$(awk -F '\t' '!/^#/ && NR > 1' cash | grep -m 1 importance | cut -f 1-3)" = "id	importance	history" ]
result $? "opic has a history, and cash besides"

for by in ieca opic; do
	# shellcheck disable=SC2086 # words
	rank --by $by $crawl --json >$by.json
done
if command -v jq >/dev/null; then
	jq -e '(.rows | length) == 20 and .rows[0].distance <= .rows[19].distance' ieca.json >/dev/null 2>problem &&
		jq -e '.rows[0].importance >= .rows[19].importance and .seeds_found == 2' opic.json >/dev/null 2>problem
	result $? "the best come first"
else
	skip "the best come first" "no jq"
fi

rank --by indegree --against indegree,pagerank,hits | grep -v '^#' >like && awk -F '\t' '
	NR == 1 && $0 != "against\ttau_b\ttop\toverlap" { print } NR == 2 && ($2 < 0.999999 || $4 != 1) { print }
	NR > 1 && ($2 < -1 || $2 > 1 || $3 != 6 || $4 < 0 || $4 > 1) { print } END { if (NR != 4) print NR }' like >problem
[ ! -s problem ]
result $? "a ranking is like itself, and --against looks at the best hundredth"

# by hand: the best 30 of both
rank --by indegree --top 30 | awk '!/^[#i]/ { print $1 }' | sort >a
# shellcheck disable=SC2086 # words
rank --by opic $crawl --top 30 | awk '!/^[#i]/ { print $1 }' | sort >b
# shellcheck disable=SC2086 # words
rank --by opic $crawl --top 30 --against indegree | awk -F '\t' '$1 == "indegree" { printf "%d\n", $3 * $4 + 0.5 }' >both &&
	[ "$(cat both)" -eq "$(comm -12 a b | wc -l)" ]
result $? "the overlap is what the two lists share"

for threads in 1 2 5; do
	# shellcheck disable=SC2086 # words
	rank --by ieca $crawl --against pagerank,opic --threads $threads >like.$threads
done
[ -s like.1 ] && cmp like.1 like.2 >>problem && cmp like.1 like.5 >>problem
result $? "threads do not change it"

says 2 "--seeds SEEDS is needed by 'ieca'" "$lycosa" rank --graph web.txt --by ieca &&
	says 2 "--seeds SEEDS is needed by '--against'" "$lycosa" rank --graph web.txt --against fica &&
	says 2 "--batch is for ieca, fica and opic; 'hits'" "$lycosa" rank --graph web.txt --by hits --batch 3 &&
	says 2 "--runs is for harmonic; 'pagerank'" "$lycosa" rank --graph web.txt --runs 9 &&
	says 2 "--registers is for harmonic; 'hits'" "$lycosa" rank --graph web.txt --by hits --registers 16 --against pagerank &&
	says 2 "--tol is for pagerank; 'opic'" "$lycosa" rank --graph web.txt --by opic --seeds random:2 --tol 1e-3 &&
	status 0 "$lycosa" rank --graph web.txt --by hits --registers 16 --against harmonic &&
	says 2 "'gama'; the nearest is 'gamma'" "$lycosa" rank --graph web.txt --by fica --seeds random:2 --policy-opt gama=1 &&
	says 2 "'beta' takes a number" "$lycosa" rank --graph web.txt --by ieca --seeds random:2 --policy-opt beta=11 &&
	says 2 "only 600 nodes" "$lycosa" rank --graph web.txt --by ieca --seeds random:601 &&
	says 2 "--total takes" "$lycosa" rank --graph web.txt --by ieca --seeds random:2 --total x
result $? "what is missing or too much is told in a line"

mkdir cc && printf '0\tcom.example\n1\tcom.example.www\n2\torg.a\n' >cc/vertices.txt && printf '0\t1\n2\t0\n1\t0\n' >cc/edges.txt
"$lycosa" rank --graph cc --to cc-ranks >ranks 2>problem && cut -f 1,2,3,5 ranks >got &&
	printf '%s\t%s\t%s\t%s\n' '#harmonicc_pos' '#harmonicc_val' '#pr_pos' '#host_rev' 1 2 1 com.example 2 1.5 2 com.example.www 3 0 3 org.a |
	diff - got >>problem &&
	rank --by harmonic --registers 1024 --threads 1 >one && rank --by harmonic --registers 1024 --threads 3 | diff one - >>problem &&
	grep -q '^# error: 0.033125$' one && rank --by harmonic | grep -q '^# registers: exact$' &&
	rank --by harmonic --registers 1024 --runs 9 >nine && grep -q '^# error: 0.01104' nine && grep -q '^# runs: 9$' nine &&
	rank --by harmonic --all | grep -v '^#' >exact && rank --by harmonic --registers 1024 --runs 9 --all | grep -v '^#' |
	awk 'NR == FNR { exact[$1] = $2; next }
		FNR == 1 { if ($2 $3 != "harmonicinterval") exit 1; next }
		($2 - exact[$1]) ^ 2 > $3 ^ 2 { outside++ } END { exit outside > 90 }' exact - &&
	[ "$(awk 'NR == 1 { print $3 }' exact)" != interval ] &&
	says 2 "a power of two from 16 to 4096" "$lycosa" rank --graph web.txt --by harmonic --registers 48 &&
	says 2 "needs a graph whose nodes are hosts" "$lycosa" rank --graph web.txt --to cc-ranks
result $? "harmonic centrality says its error, and ranks of hosts are written as Common Crawl's"

# a directed cycle of four nodes: N(t) = 4 (t + 1), of which 90% are 14.4, and the distances are 1, 2 and 3
printf '0 1\n1 2\n2 3\n3 0\n' >cycle.txt
"$lycosa" graph info --graph cycle.txt --distances 2>problem | sed -n '/^registers/,$p' >got
printf '%s\t%s\n' registers exact runs 1 reachable_pairs 1 average_distance 2 effective_diameter 2.6 >wanted
printf '#neighbourhood\t%s\t%s\t%s\n' links pairs error 0 4 0 1 8 0 2 12 0 3 16 0 >>wanted
grep -v -e '^spid' -e '^harmonic_diameter' got | diff wanted - >>problem && [ "$(wc -l <got)" -eq 12 ]
result $? "graph info --distances tells how far the nodes are from each other"

far() {
	"$lycosa" graph info --graph web.txt --distances --registers 64 "$@" 2>>problem
}
: >problem
far --threads 1 >one && far --threads 3 | diff one - >>problem && far --rng-seed 2 >two && ! cmp -s one two &&
	grep -q '^runs	8$' one && grep -q '^interval_errors	2.3646' one && far --runs 1 | grep -qx 'effective_diameter_error	' &&
	awk -F '\t' 'FNR == 1 { run++ }
		$1 ~ /^(reachable|average|spid|effective|harmonic)/ { if ($1 ~ /_error$/) error[$1, run] = $2; else value[$1, run] = $2; name[$1] }
		END { for (n in name) if (n !~ /_error$/ && (!(error[n "_error", 1] > 0) ||
			(value[n, 1] - value[n, 2]) ^ 2 > 36 * (error[n "_error", 1] ^ 2 + error[n "_error", 2] ^ 2))) print n }' one two >>problem &&
	[ ! -s problem ] && says 2 "a power of two from 16 to 4096" "$lycosa" graph info --graph web.txt --distances --registers 17 &&
	says 2 "--runs is for --distances, which is not given" "$lycosa" graph info --graph web.txt --runs 2 &&
	printf '0 0\n' >self.txt && "$lycosa" graph info --graph self.txt --distances --json >self.json 2>>problem &&
	grep -q '"average_distance":null' self.json && grep -q '"neighbourhood":\[' self.json
result $? "estimated distances have errors of the repeated runs, which threads do not change and --rng-seed does"
