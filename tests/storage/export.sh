#!/bin/sh
# lycosa export from outside: the tables beside the store's own figures, a store that is being crawled, and the commands of
# doc/store.md in every program that is installed.
. "$(dirname "$0")/../tap.sh"
plan 18

"$lycosa" graph generate --nodes 400 --arcs-per-node 6 --rng-seed 5 --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls --faults 404=0.1
"$lycosa" crawl "$(head -n 1 web.urls)" --store crawl -H --connect-to "::127.0.0.1:$port" --delay 0 -q --max-pages 150 \
	>summary 2>errors || cat errors

figure() { "$lycosa" store info --store crawl | sed -n "s/^$1	//p"; }

status 0 "$lycosa" export --store crawl --pages pages.csv && status 0 "$lycosa" export --store crawl --pages --to jsonl &&
	cp results pages.jsonl && status 0 "$lycosa" export --store crawl --links --to jsonl links.jsonl &&
	status 0 "$lycosa" export --store crawl --hosts && cp results hosts.csv &&
	status 0 "$lycosa" export --store crawl --pages --links --hosts --to sqlite crawl.db
result $? "each table comes in each form"

if command -v jq >/dev/null; then
	{
		[ "$(wc -l <pages.jsonl)" = "$(figure pages)" ] || echo "pages: $(wc -l <pages.jsonl)"
		for state in crawled failed redirected refused queued; do
			n=$(jq -r "select(.state == \"$state\") | 1" pages.jsonl | wc -l)
			[ "$n" = "$(figure $state)" ] || echo "$state: $n, not $(figure $state)"
		done
		[ "$(wc -l <links.jsonl)" = "$(figure links)" ] || echo "links: $(wc -l <links.jsonl)"
		# as the dump has them
		jq -r 'select(.digest) | [.url, .status, .digest] | @tsv' pages.jsonl | sort >got
		"$lycosa" store dump --store crawl | awk -F '\t' 'NF == 3 && $3 != "-"' | sort | diff - got | head -n 5
		jq -r '[.from_url, .to_url] | @tsv' links.jsonl | sort >got
		"$lycosa" store dump --store crawl | awk -F '\t' 'NF == 2' | sort | diff - got | head -n 5
		# where the first page found the others
		jq -r 'select(.found_on == null and .seed == 0) | .url' pages.jsonl
		jq -r 'select(.state == "crawled" and .media_type != "text/html") | .url' pages.jsonl
		jq -r 'select(.state == "crawled" and (.title | startswith("node ") | not)) | .url' pages.jsonl
		jq -rs 'map(.crawl_order // empty) | sort | . == [range(1; length + 1)] | select(. | not)' pages.jsonl
	} >problem 2>&1
	verdict "the tables say what info and dump say"
else
	skip "the tables say what info and dump say" "no jq"
fi

{
	"$lycosa" export --store crawl --pages --state failed | grep -c ',failed,' | grep -qx "$(figure failed)" || echo "failed"
	host=$(sed -n '2s/^[0-9]*,\([^,]*\),.*/\1/p' hosts.csv)
	n=$("$lycosa" export --store crawl --pages --host "$host" | tail -n +2 | wc -l)
	[ "$n" = "$(sed -n '2s/^[0-9]*,[^,]*,\([0-9]*\),.*/\1/p' hosts.csv)" ] || echo "$n pages of $host"
	"$lycosa" export --store crawl --pages --since 2100-01-01 | wc -l | grep -qx 1 || echo "of the future"
	"$lycosa" export --store crawl --pages --until @1 | wc -l | grep -qx 1 || echo "of the past"
	[ "$("$lycosa" export --store crawl --pages --accept-regex '/1[0-9]*$' | tail -n +2 | grep -vc '/1[0-9]*,')" = 0 ] || echo regex
	n=$("$lycosa" export --store crawl --links --state failed | wc -l)
	[ "$n" = 1 ] || echo "links of pages that failed: $n"
} >problem 2>&1
verdict "filters choose pages, and with them links and hosts"

says 2 "give --pages, --links, --hosts or --changes" "$lycosa" export --store crawl &&
	says 2 "has one table: .*--to sqlite" "$lycosa" export --store crawl --pages --links &&
	says 2 "name its file" "$lycosa" export --store crawl --pages --to sqlite &&
	says 2 "no time; give a date" "$lycosa" export --store crawl --pages --since soon &&
	says 2 "crawlde" "$lycosa" export --store crawl --pages --state crawlde &&
	says 2 "no extended regular expression" "$lycosa" export --store crawl --pages --accept-regex '(' &&
	says 3 "no store in 'nowhere'" "$lycosa" export --store nowhere --pages &&
	says 3 "cannot write '/nowhere/x'" "$lycosa" export --store crawl --pages /nowhere/x
result $? "wrong usage is told with the way out"

if [ -w /dev/full ]; then
	"$lycosa" export --store crawl --pages >/dev/full 2>errors
	[ $? = 3 ] && "$lycosa" export --store crawl --pages 2>errors | head -n 1 >results && [ ! -s errors ]
	result $? "a full disk is status 3, and a reader that goes early no error"
else
	skip "a full disk is status 3, and a reader that goes early no error" "no /dev/full"
fi

# the end of the file is cut off: what is left is not exported as if it were all
cp -r crawl cut
size=$(wc -c <cut/data.mdb)
dd if=/dev/zero of=cut/data.mdb bs=1 seek=$((size / 3)) count=4096 conv=notrunc 2>/dev/null
"$lycosa" export --store cut --pages cut.csv >results 2>errors
got=$?
{ [ $got = 18 ] && [ ! -e cut.csv ]; } || { [ $got = 0 ] && cmp pages.csv cut.csv; }
result $? "of a damaged store no half of a file is left"

# a slow reader of a store that is being crawled: the same rows as when it began
"$lycosa" graph generate --nodes 3000 --arcs-per-node 6 --rng-seed 6 --write-urls big.urls big.txt
kill "$server"
serve --graph big.txt --urls big.urls --faults redirect=0.05
"$lycosa" crawl "$(head -n 1 big.urls)" --store live -H --connect-to "::127.0.0.1:$port" --delay 0 -q --max-pages 800 \
	>summary 2>errors
"$lycosa" export --store live --pages before.csv
mkfifo pipe
"$lycosa" export --store live --pages --to csv >pipe 2>errors &
reader=$!
{
	head -c 1000
	"$lycosa" crawl --store live -H --connect-to "::127.0.0.1:$port" --delay 0 -q --max-pages 1600 --keep >summary 2>&1
	cat
} <pipe >during.csv
wait $reader
{
	[ $? = 0 ] || cat errors
	cmp before.csv during.csv
	[ "$("$lycosa" export --store live --pages | wc -l)" -gt "$(wc -l <before.csv)" ] || cat summary
} >problem 2>&1
if command -v jq >/dev/null; then
	"$lycosa" export --store live --pages --to jsonl >live.jsonl
	jq -r 'select((.state == "redirected") != (.target != null)) | .url' live.jsonl >>problem 2>&1
	jq -r 'select(.state == "redirected") | .target' live.jsonl | sort -u >targets
	jq -r .url live.jsonl | sort | comm -13 - targets >>problem
	[ -s targets ] || echo "no redirect" >>problem
fi
verdict "an export of a store that is being crawled has the pages of its beginning"

# --- doc/store.md, block by block, with the crawl above
awk '
	/^```(sh|python|r|sql)$/ { n++; into = "block-" n "." substr($0, 4); next }
	/^```$/ { if (into) close(into); into = ""; next }
	into { print >into }' "$top/doc/store.md"
# the crawl is of a web on this machine, which a store alone does not decide
sed -i "s|lycosa crawl --store sound|& --connect-to ::127.0.0.1:$port|" block-*.sh
PATH=$build:$PATH
export PATH
python=$(for p in python3 /usr/bin/python3; do "$p" -c 'import pandas' 2>/dev/null && echo "$p" && break; done)
# read_sql FILE: by DuckDB, which few systems have as a package, or by sqlite3, where the files of the queries are tables and views of their names
read_sql() {
	if command -v duckdb >/dev/null; then
		duckdb -c "$(cat "$1")"
	elif python3 -c 'import duckdb' 2>/dev/null; then
		python3 -c 'import duckdb, sys; [print(duckdb.sql(q)) for q in open(sys.argv[1]).read().split(";") if q.strip()]' "$1"
	else
		sqlite3 -bail :memory: 'CREATE TABLE lines(line)' '.mode ascii' '.separator "\001" "\n"' '.import links.jsonl lines' \
			"CREATE VIEW \"links.jsonl\" AS SELECT json_extract(line, '\$.to_id') AS to_id FROM lines" \
			'.mode csv' '.import pages.csv pages.csv' "$(cat "$1")"
	fi
}
said() { head -n 1 "$1" | cut -c 1-60 | tr -d '#'; }
for block in $(ls block-* | sort -t - -k 2 -n); do
	case $block in
	*.sh) needs="sqlite3" run="bash -e -o pipefail $block" ;;
	*.python) needs="pandas" run="$python $block" ;;
	*.r) needs="Rscript" run="Rscript $block" ;;
	*.sql) needs="sqlite3" run="read_sql $block" ;;
	esac
	has=yes
	case $needs in
	pandas) [ -n "$python" ] || has= ;;
	*) command -v "$needs" >/dev/null || has= ;;
	esac
	if [ -z "$has" ]; then
		skip "doc/store.md: $(said "$block")" "no $needs"
	else
		$run >printed 2>problem && [ -s printed -o "$needs" = sqlite3 ] && : >problem
		verdict "doc/store.md: $(said "$block")"
	fi
done
