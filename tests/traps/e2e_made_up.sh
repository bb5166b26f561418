#!/bin/sh
# Addresses that lycosa makes up to know soft 404s are no links of the Web: no graph, export or ranking has one, and no later visit is paid to
# one; a replay of the crawl asks for them, too. They keep the rules of the crawl as every address does.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/traps/trap_crawls.sh"
plan 10
if ! command -v jq >/dev/null; then
	for n in 1 2 3 4 5 6 7 8 9 10; do skip "made-up addresses" "no jq"; done
	exit
fi

store=gone
crawl http://gone.test/
"$lycosa" export --store gone --pages --to jsonl >pages
jq -r 'select(.made_up == 1) | .url' pages >made
{
	[ -s made ] || echo "none was made up"
	jq -r 'select(.made_up == 1 and (.linked_from != 0 or .seed != 0 or .state != "crawled")) | .url' pages
} >problem
verdict "an export of pages names the address that was made up, to which no page links"

url=$(head -n 1 made)
status 0 "$lycosa" store explain --store gone "$url" && grep -q '^# made_up: .*soft-404=0' results &&
	grep -q '^# made_up_like: http://gone.test/' results && grep -q '^# linked_from: 0$' results
result $? "store explain says why it was asked for, and like which page"

figure() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' results; }
status 0 "$lycosa" export --store gone --links --to jsonl links
{
	jq -r --arg url "$url" 'select(.to_url == $url or .kind == "made-up")' links
	"$lycosa" store dump --store gone | awk -F '\t' -v url="$url" 'NF == 2 && $2 == url'
	status 0 "$lycosa" store info --store gone
	[ "$(figure links)" = "$(wc -l <links)" ] || echo "$(figure links) links, not $(wc -l <links)"
} >problem
verdict "exports, dumps and figures of the links do not have it"

id=$(jq -r 'select(.made_up == 1) | .id' pages | head -n 1)
status 0 "$lycosa" graph convert --graph gone gone.txt
{
	awk -v id="$id" '$2 == id' gone.txt
	status 0 "$lycosa" graph info --graph gone
	[ "$(figure arcs)" = "$(wc -l <links)" ] || echo "$(figure arcs) arcs, not $(wc -l <links)"
} >problem
verdict "nor has a graph of the store"

echo http://gone.test/ >one
status 0 "$lycosa" replay --graph gone --seeds one --policy bfs --order order && grep -qx "$id" order &&
	[ "$(wc -l <order)" = "$(jq -r 'select(.state == "crawled") | 1' pages | wc -l)" ]
result $? "a replay of the store asks for it, as the crawl did"

: >requests
status 0 "$lycosa" crawl --refresh --older-than 0 --store gone --connect-to "::127.0.0.1:$port" --delay 0 -q
{
	[ "$(grep -c gone.test requests)" -gt 50 ] || cat errors requests
	grep -F "${url#http://gone.test}" requests
} >problem
verdict "no later visit is paid to it"

store=kept
crawl http://gone.test/ --mirror mirror --wacz kept.wacz
"$lycosa" export --store kept --pages --to jsonl | jq -r 'select(.made_up == 1) | .url | sub(".*/"; "")' >names
{
	[ -s names ] || echo "none was made up"
	[ "$(find mirror -type f | wc -l)" -gt 50 ] || echo "the mirror has $(find mirror -type f | wc -l) files"
	find mirror -type f | grep -Ff names
	python3 -c 'import zipfile; z = zipfile.ZipFile("kept.wacz"); [print(z.read("pages/" + n + ".jsonl").decode()) for n in ("pages", "extraPages")]' >listed
	[ "$(wc -l <listed)" -gt 50 ] || echo "the WACZ file lists $(wc -l <listed) pages"
	grep -Ff names listed
} >problem 2>&1
verdict "neither a mirror nor the pages of a WACZ file have it"

# names that are drawn are hexadecimal, and those that lycosa makes up are not
store=ruled
echo 'reject regex /old/[0-9a-f]*[g-z]' >ruled.rules
crawl http://gone.test/ --rules ruled.rules
"$lycosa" export --store ruled --pages --to jsonl >ruled.pages
jq -r 'select(.made_up == 1 or .reason == "rule") | .url' ruled.pages >problem
[ "$(wc -l <ruled.pages)" -gt 50 ] || wc -l ruled.pages >>problem
verdict "an address that a rule refuses is not made up"

store=few
crawl http://gone.test/ --max-per-host 30
{
	"$lycosa" export --store few --pages --to jsonl | jq -r 'select(.made_up == 1) | .url' | grep -q . || echo "none was made up"
	n=$(grep -c gone.test requests)
	[ "$n" -le 31 ] || echo "$n requests"
} >problem
verdict "an address that is made up counts in the budget of its host"

store=none
crawl http://gone.test/ --trap-opt soft-404=0 --max-pages 200
"$lycosa" export --store none --pages --to jsonl >none.pages
jq -r 'select(.made_up == 1) | .url' none.pages >problem
[ "$(wc -l <none.pages)" -gt 50 ] || wc -l none.pages >>problem
verdict "soft-404=0 makes up none"
