#!/bin/sh
# The tables of an export, read back by other programs with the same figures: sqlite3, pandas, DuckDB, jq and R, those that are installed.
# EXPORT_PAGES: the pages crawled; EXPORT_SECONDS: the most that an export of all pages may take (0: any time), which depends on the machine.
. "$(dirname "$0")/../tap.sh"
needs sqlite3 jq
plan 8
pages=${EXPORT_PAGES:-4000} most=${EXPORT_SECONDS:-0}

"$build/tests/bench/bench_crawled" crawl "$pages" >figures 2>problem || exit 1
"$lycosa" store info --store crawl >info
figure() { sed -n "s/^$1	//p" info; }

# export_as FORM: the table of pages, and how long it takes
export_as() {
	began=$(date +%s%3N)
	"$lycosa" export --store crawl --pages --to $1 pages.$1 -q || return
	took=$(($(date +%s%3N) - began))
	echo "# $1: $(figure pages) pages in $((took / 1000)).$((took % 1000 / 100)) s"
	[ "$most" = 0 ] || [ $took -le $((most * 1000)) ] || echo "$1 takes more than $most s" >&2
}
for form in csv jsonl sqlite; do
	export_as $form 2>problem
	verdict "the pages are exported as $form"
done
"$lycosa" export --store crawl --pages --links --hosts --to sqlite all.db && "$lycosa" export --store crawl --links links.csv

# what each reader is to say: all pages, those crawled, the distinct URLs, and the bytes of their bodies
bytes=$("$lycosa" export --store crawl --hosts --to jsonl | jq -s 'map(.bytes) | add')
printf '%s %s %s %s\n' "$(figure pages)" "$(figure crawled)" "$(figure pages)" "$bytes" >want
query="SELECT count(*), sum(CASE WHEN state = 'crawled' THEN 1 ELSE 0 END), count(DISTINCT url), sum(bytes) FROM"

# says_so READER FILE: compares what a reader has printed with what it is to print
says_so() { tr -s ',|\t' ' ' <printed | sed 's/\.0$//' | diff want - | sed "s/^/$1, $2: /" >>problem; }
sqlite3 pages.sqlite "$query pages" >printed 2>&1
says_so sqlite3 pages.sqlite
sqlite3 all.db "SELECT count(*) FROM links" >printed 2>&1
[ "$(cat printed)" = "$(figure links)" ] && [ "$(figure links)" -gt "$pages" ] || cat printed >>problem
sqlite3 all.db "PRAGMA integrity_check" | grep -vx ok >>problem
sqlite3 -csv :memory: '.import pages.csv pages' "$query pages" >printed 2>&1
says_so sqlite3 pages.csv
verdict "sqlite3 reads the same figures from the database and from CSV"

python=$(for p in python3 /usr/bin/python3; do "$p" -c 'import pandas' 2>/dev/null && echo "$p" && break; done)
if [ -n "$python" ]; then
	"$python" - <<'END' >printed 2>problem && : >problem
import pandas
import sqlite3
for table in (pandas.read_csv("pages.csv"), pandas.read_json("pages.jsonl", lines=True),
              pandas.read_sql("SELECT * FROM pages", sqlite3.connect("pages.sqlite"))):
    print(len(table), (table.state == "crawled").sum(), table.url.nunique(), int(table.bytes.sum()))
assert len(pandas.read_csv("links.csv")) == sqlite3.connect("all.db").execute("SELECT count(*) FROM links").fetchone()[0]
END
	cat want want want | diff - printed >>problem
	verdict "pandas reads the same figures from CSV, JSON Lines and the database"
else
	skip "pandas reads the same figures from CSV, JSON Lines and the database" "no pandas"
fi

# DuckDB, which few systems have as a package, reads JSON Lines as they are, and sqlite3 line by line
ask_duckdb() {
	if command -v duckdb >/dev/null; then
		duckdb -csv -noheader -c "$1"
	else
		python3 -c 'import duckdb, sys; print(*duckdb.sql(sys.argv[1]).fetchone())' "$1"
	fi
}
if command -v duckdb >/dev/null || python3 -c 'import duckdb' 2>/dev/null; then
	for file in pages.csv pages.jsonl; do
		ask_duckdb "$query '$file'" >printed 2>&1
		says_so duckdb $file
	done
	ask_duckdb "SELECT count(*) FROM 'links.csv'" | grep -qx "$(figure links)" || echo "links.csv has other links" >>problem
fi
sqlite3 -bail :memory: 'CREATE TABLE lines(line)' '.mode ascii' '.separator "\001" "\n"' '.import pages.jsonl lines' '.mode list' '.separator ,' \
	"$query (SELECT json_extract(line, '\$.state') AS state, json_extract(line, '\$.url') AS url, json_extract(line, '\$.bytes') AS bytes FROM lines)" \
	>printed 2>&1
says_so sqlite3 pages.jsonl
verdict "SQL reads the same figures from JSON Lines; so does DuckDB, where it is installed, from them and from CSV"

awk '{ print $1, $2, $4 }' want >short
jq -rn 'reduce inputs as $p ([0, 0, 0]; [.[0] + 1, .[1] + (if $p.state == "crawled" then 1 else 0 end), .[2] + ($p.bytes // 0)]) | @tsv' \
	pages.jsonl | tr '\t' ' ' | diff short - >problem
verdict "and so does jq"

Rscript -e 'p <- read.csv("pages.csv"); cat(nrow(p), sum(p$state == "crawled"), length(unique(p$url)), format(sum(p$bytes, na.rm = TRUE), scientific = FALSE), "\n")' >printed 2>problem
if [ -s printed ]; then
	sed 's/ *$//' printed | diff want - >problem
	verdict "and so does R"
else
	skip "and so does R" "no Rscript"
fi
