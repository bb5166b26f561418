#!/bin/sh
# The results of lycosa depend on no locale: programs of unit tests that read and write text, and the Python module, in a Turkish locale,
# where 'I' is not the capital of 'i', 2.5 is written 2,5, 1000 is written 1.000 and a Monday is no Mon; and the program itself, in a German
# one, too. The locales are made here. (The other tests run in the locale C.)
. "$(dirname "$0")/../tap.sh"
programs="test_address test_answer test_base test_connect_to test_credentials test_edges test_encoding test_fingerprint test_flag
test_flag_file test_flags test_formats test_host_settings test_html test_html_page test_html_pages test_html_text test_idna test_job test_lab
test_library test_live_decision test_mime test_mtx test_names test_results test_robots test_rules test_scope test_seed_methods
test_shape test_sitemap test_stats test_study_page test_summary test_traps test_url test_url_host test_url_normalise test_url_query
test_url_rules test_verbs test_warc test_words"
command -v localedef >/dev/null || skip_all "no localedef (Debian: libc-bin): whether a locale changes results is NOT TESTED"
{ localedef -i tr_TR -f UTF-8 ./tr_TR.UTF-8 && localedef -i de_DE -f UTF-8 ./de_DE.UTF-8; } 2>problem ||
	{ cat problem >&2; skip_all "no sources of locales (Debian: locales): whether a locale changes results is NOT TESTED"; }
plan 4
LOCPATH=$work
export LOCPATH

# ended NAME PROGRAM...: what the program says if it fails
ended() {
	name=$1
	shift
	"$@" >said 2>&1 || { echo "$name in $TEST_LOCALE:"; grep -v '^\[ *\(RUN\|OK\)' said; } >>problem
}

TEST_LOCALE=tr_TR.UTF-8
export TEST_LOCALE
: >problem
for program in $programs; do
	ended "$program" "$build"/tests/*/"$program"
done
verdict "unit tests in $TEST_LOCALE"
ended python.sh "$top/tests/lib/python.sh"
if grep -q '^1..0 # SKIP' said; then
	skip "the Python module in $TEST_LOCALE" "$(sed -n 's/^1..0 # SKIP //p' said)"
else
	! grep -A 20 '^not ok' said >problem
	result $? "the Python module in $TEST_LOCALE"
fi

# the program itself, whose locale is that of the environment
"$lycosa" graph generate -q --nodes 60 --write-urls web.urls web.txt
printf 'USER-AGENT: *\nCRAWL-DELAY: 2.5\nDISALLOW: /private\nSITEMAP: http://h.test/s.xml\n' >robots.txt
for locale in C tr_TR.UTF-8 de_DE.UTF-8; do
	{
		echo http://h.test/private/x | LC_ALL=$locale "$lycosa" parse robots check robots.txt
		LC_ALL=$locale "$lycosa" parse robots info robots.txt
		echo 'HTTP://H.test/I?PHPSESSID=1234567890abcdef1234567890abcdef' | LC_ALL=$locale "$lycosa" parse url canon --normalise all
		LC_ALL=$locale "$lycosa" rank --graph web.txt --by pagerank --top 5 --tol 1e-9 --json
		LC_ALL=$locale "$lycosa" replay --graph web.txt --seeds random:0.05 --policy ieca --policy-opt delta0=0.3
		LC_ALL=$locale "$lycosa" crawl http://a.test/ --delay 0.5 --host-share 0.25 --print-config
	} >"results-$locale" 2>&1
	diff results-C "results-$locale" || echo "in $locale"
done >problem 2>&1
grep -q 2.5 results-C || echo "nothing was printed" >>problem
verdict "what the program prints in three locales"

TEST_LOCALE=xx_XX "$build/tests/base/test_base" >said 2>&1
[ $? = 2 ] && grep -q "no locale 'xx_XX'" said
result $? "a locale that is not there fails the test"
