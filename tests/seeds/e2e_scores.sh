#!/bin/sh
# Scores from a program (--score-cmd): a policy sees the same scores live, after a kill and a resume, and in replays; and a program
# that ends, hangs, or answers nonsense does no harm.
. "$(dirname "$0")/../tap.sh"
needs jq
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
plan 22

cat >follow.c <<'END'
/* Follow: pages that pages of high scores link to first, by the sum of these scores; a page without a score counts 5. */
#include "frontier/policy.h"

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const double score = view_score(c->view, u);

	(void)outdegree;
	for (size_t i = 0; i < n; i++)
		c->page[queued[i]].key += isnan(score) ? 5 : score;
}

static const struct policy follow = {.name = "follow",
	.summary = "pages that pages of high scores link to first",
	.source = "a test",
	.order = POLICY_HIGHEST_FIRST,
	.needs = POLICY_SEES_SCORES,
	.crawled = crawled};

const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &follow};
END
$cc -std=gnu11 -O2 -ffp-contract=off -shared -fPIC "-I$top" -o follow.so follow.c 2>problem
result $? "a policy that follows scores is compiled"

"$lycosa" graph generate --nodes 400 --arcs-per-node 5 --rng-seed 7 --to edges --write-urls web.urls web.txt
sed -n '6p;1p' web.urls >seeds
serve --graph web.txt --faults 404=0.05,seed=5
# the score of a page is the last digit of its URL, and pages that end in 7 have none; it writes a line at once
cat >score.sh <<'END'
exec sed -u 's/^{"url":"[^"]*\(.\)".*/\1/; s/7/-/'
END
# crawl STORE FLAG...: by way of the command $via; start, the same in the background as $pid
via=
crawl() {
	store=$1
	shift
	$via "$lycosa" crawl --seeds seeds --store "$store" -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel-per-host 100 "$@" \
		>"$store.out" 2>"$store.err"
}
start() {
	via=exec
	crawl "$@" &
	pid=$!
	via=
}
follow() { crawl "$@" --policy ./follow.so --parallel 1 --order "$1.order" -q; }
# scores LOG: each crawled page with its score
# as jq counts, since some versions of it print a number as they read it
scores() { jq -r 'select(.event == "crawled") | "\(.url)\t\(.score | numbers + 0 // null)"' "$1" | LC_ALL=C sort; }
follow whole --score-cmd 'sh score.sh' --log whole.log && [ "$(wc -l <whole.order)" -gt 200 ] && scores whole.log >want &&
	awk -F '\t' '{ last = substr($1, length($1)); if ($2 != (last == 7 ? "null" : last)) print }' want >problem && [ ! -s problem ]
result $? "each crawled page has the score that the program gave it"
replay() { "$lycosa" replay "$@" --policy ./follow.so --batch 1000 -q --order ids >/dev/null 2>>problem; }
"$lycosa" rank --graph whole --by indegree --all 2>>problem | awk -F '\t' '!/^#/ && $1 != "id" { print $1 "\t" $3 }' >named
urls() { awk 'NR == FNR { url[$1] = $2; next } { print url[$1] }' named ids; }
replay --graph whole --seeds seeds && urls | diff whole.order - >>problem
result $? "a replay of the store takes the order of the crawl"
replay --graph whole --seeds seeds --politeness delay=0,parallel=1,latency=0,bandwidth=0 && urls | diff whole.order - >>problem
result $? "and so does one in virtual time"
"$lycosa" replay --graph whole --seeds seeds --policy ./follow.so --target whole --at 0.5 -q >by-store 2>problem &&
	awk -F '\t' 'NR == FNR { id[$2] = $1; next } $2 != "null" { print id[$1] "\t" $2 }' named want >target &&
	"$lycosa" replay --graph whole --seeds seeds --policy ./follow.so --target target --at 0.5 -q >by-file 2>problem &&
	grep -v '^# target' by-store >a && grep -v '^# target' by-file | diff a - >problem
result $? "the scores of a store are a target, as those of a file are"
says 2 "is another store than --graph" "$lycosa" replay --graph web.txt --seeds random:2 --policy bfs --target whole -q
result $? "the scores of another store are none"

# --- killed and resumed
kills=0
for n in 70 25 90; do
	via="killed_at $n"
	follow broken --score-cmd 'sh score.sh' --log broken.log && kills=$((kills + 1))
	via=
done
follow broken --score-cmd 'sh score.sh' --max-pages 150
follow broken --score-cmd 'sh score.sh' --no-max-pages && [ $kills = 3 ] && diff whole.order broken.order >problem &&
	"$lycosa" store verify --store broken >problem 2>&1
result $? "a crawl that is killed and resumed takes the same order (killed $kills times)"
says 2 "goes by --score-cmd 'sh score.sh', which is only used when this command names it" "$lycosa" crawl --store broken --policy ./follow.so -q
result $? "a store does not run the program that it names"
crawl plain --policy bfs --max-pages 20
says 2 "was begun without --score-cmd, so its pages have no scores" "$lycosa" crawl --store plain --connect-to "::127.0.0.1:$port" --score-cmd 'sh score.sh' -q
result $? "a crawl without scores stays one"

# --- aim, which learns to predict the scores, is the policy of a crawl with a score command that names none
aim() { crawl "$@" --parallel 1 --batch 9 --total 400 --score-cmd 'sh score.sh' --order "$1.order" -v; }
aim aimed && grep -q 'the defaults: its policy is aim (--policy' aimed.err && ! diff -q aimed.order whole.order >/dev/null &&
	"$lycosa" rank --graph aimed --by indegree --all 2>>problem | awk -F '\t' '!/^#/ && $1 != "id" { print $1 "\t" $3 }' >named &&
	"$lycosa" replay --graph aimed --seeds seeds --policy aim --batch 9 --total 400 -q --order ids >/dev/null 2>problem &&
	urls | diff aimed.order - >problem
result $? "aim is the default policy with scores, and its replay takes the order of the crawl"
for pages in 40 97; do aim again --max-pages $pages; done
background "$lycosa" view again 2>view.err
pid=$!
has_answered() { sed 's/.*#//' view.err >token && "$lycosa" ctl status --url "$(sed 's,.* at \(.*\)/#.*,\1,' view.err)" --token token --json >answer 2>problem; }
wait_for view.err 'monitor at' $pid && wait_until $pid has_answered
jq -e '.policy.name == "aim" and .pages.crawled == 97' answer >/dev/null && rm -f problem || cat view.err answer >>problem
kill $pid && wait $pid
verdict "view shows a crawl whose policy needs scores, and runs no command"
says 2 "goes by a policy in a file, .*/follow.so, whose code is not run to look" "$lycosa" view broken
result $? "and runs no policy of a file either"
aim again --no-max-pages && diff aimed.order again.order >problem
result $? "in three sittings aim takes the same order"

# --- many pages in flight
many() { crawl "$@" --parallel 16 --log "$1.log"; }
same() { scores "$1.log" | diff want - >problem; }
many ends --score-cmd 'sed -u "5q" | sh score.sh' && same ends
result $? "a program that ends is started again, and every page gets its score"
# few pages, since three in a row without an answer end the crawl, and the order in which pages arrive is any
many poison --score-cmd 'sed -u "/\"url\":\"[^\"]*23\"/{s/.*/poison/;q}; s/^{\"url\":\"[^\"]*\(.\)\".*/\1/; s/7/-/"' &&
	scores poison.log | awk -F '\t' '$1 !~ /23$/' >others && awk -F '\t' '$1 !~ /23$/' want | diff - others >problem &&
	scores poison.log | awk -F '\t' '$1 ~ /23$/ && $2 != "null"' >problem && [ ! -s problem ] &&
	grep -q "^lycosa: the score command answers 'poison', which is no score: a page has no score$" poison.err
result $? "a page that the program breaks down at has no score, and all others have theirs"
many odd --score-cmd "sed -u 's/^{\"url\":\"[^\"]*\\(.\\)\".*/\\1/; s/0/-1/; s/2/nan/; s/4//; s/6/1e300/; s/8/ inf /'" &&
	scores odd.log | awk -F '\t' '$1 ~ /[02468]$/ ? $2 != "null" : $1 !~ "/.*" $2 "$"' >problem && [ ! -s problem ] &&
	grep -q "^lycosa: pages without a score: [0-9]" odd.err
result $? "negative, infinite and missing scores are none"

# --- programs that are of no use
# useless STORE COMMAND TEXT FLAG...: the crawl ends with TEXT, its store is sound, and the right program brings it to its end
useless() {
	store=$1 text=$2 command=$3 where=${where:-the first page}
	shift 3
	many "$store" --score-cmd "$command" "$@"
	[ $? -eq 1 ] && grep -q "^lycosa: the score command $text, at $where; mend it, and the same command goes on$" "$store.err" &&
		"$lycosa" store verify --store "$store" >>problem 2>&1 && many "$store" --score-cmd 'sh score.sh' --score-timeout 1m &&
		same "$store" && return 0
	cat "$store.err" >>problem
	return 1
}
where=
useless none "has ended with status 127" 'exec ./no-such-program 2>/dev/null' && useless killed "was ended by signal 9" 'kill -9 $$'
result $? "a program that does not run ends the crawl, which can be resumed"
useless mute "has not answered in time" 'cat >/dev/null' --score-timeout 50ms && useless deaf "has not answered in time" 'exec sleep 1000' --score-timeout 50ms
result $? "and so does one that does not answer"
useless flood "answers .*" 'exec yes maybe' && useless long "answers a line without an end" 'exec tr "\\n" x </dev/zero'
result $? "and one that answers nonsense"
many tired --score-cmd '[ -e used ] && exit 3; >used; read -r line; echo 5; exit 3'
[ $? -eq 1 ] && grep -q '^lycosa: the score command has ended with status 3, at three pages in a row; mend it' tired.err &&
	"$lycosa" store verify --store tired >problem 2>&1
result $? "and one that answers one page and no other"

# --- the program's process
serve --graph web.txt
start asleep --score-cmd 'echo $$ >pid; exec sleep 1000' --parallel 4 -q
wait_for pid '[0-9]' $pid && wait_until $pid in_vain kill -INT $pid
wait $pid
status=$?
[ $status = 17 ] && ! kill -0 "$(cat pid)" 2>/dev/null || echo "status $status" >problem
start dead --score-cmd 'echo $$ >pid2; exec sleep 1000' --parallel 4 -q
wait_for pid2 '[0-9]' $pid && kill -9 $pid
wait $pid 2>/dev/null
wait_until $$ is_dead "$(cat pid2)" # which it would not be if it outlived its crawl
verdict "a second signal does not wait for the program, and the program ends with the crawl"

# --- bodies, whole, with the rights of the user
mkdir pages outside
printf 'big.html\thttp://a.test/\nodd.html\thttp://a.test/odd\n' >pages/index.tsv
{ echo '<a href=/odd>odd</a>'; head -c 3000000 /dev/zero | tr '\0' x; } >pages/big.html
printf '<p>\303\050\000\377 "quoted"\n' >pages/odd.html
cat >measure.sh <<'END'
while read -r line; do
	printf '%s\n' "$line" | jq -r .body | base64 -d >body
	wc -c <body
	cksum <body >>outside/sums
	printf '%s\n' "$line" | jq -r '"\(.url) \(.status) \(.type)"' >>outside/heads
	exit
done
END
serve --pages pages
"$lycosa" crawl http://a.test/ --store bodies --connect-to "::127.0.0.1:$port" --delay 0 --score-cmd 'exec sh measure.sh' --log bodies.log -q >/dev/null 2>problem &&
	scores bodies.log >got && printf 'http://a.test/\t%s\nhttp://a.test/odd\t%s\n' "$(wc -c <pages/big.html)" "$(wc -c <pages/odd.html)" | diff - got >>problem &&
	{ cksum <pages/big.html; cksum <pages/odd.html; } | diff - outside/sums >>problem &&
	[ "$(head -n 1 outside/heads)" = "http://a.test/ 200 text/html" ] || cat outside/heads got >>problem
verdict "the program gets each body as it came, and may write where the user may, also after it was started again"
