#!/bin/sh
# No command destroys a file that it was not asked to write: what a store keeps or a job names counts as well as the flags
# (tests/cli/test_destinations.c has all flags of all verbs), and a file where a folder is named stays.
. "$(dirname "$0")/../tap.sh"
plan 10

"$lycosa" graph generate --nodes 60 --arcs-per-node 4 --write-urls web.urls web.txt
head -n 2 web.urls >seeds.txt
serve --graph web.txt --urls web.urls
crawl() { "$lycosa" crawl -H --connect-to "::127.0.0.1:$port" --delay 0 --per-host 8 -q "$@"; }
crawl --seeds seeds.txt --store so --warc pages --log log >out 2>problem
verdict "a store, its archive and its log are made"

# kept FILE STATUS TEXT COMMAND...: the command is refused in one line, and the file stays as it was
kept() {
	file=$1
	cp "$file" before
	shift
	says "$@"
	cmp "$file" before >>problem 2>&1 && [ -f "$file" ] || echo "$file is another now: $*" >>problem
}

echo precious >thesis.txt
set -- pages-*.warc.gz
warc=$1
for path in thesis.txt thesis.txt/ thesis.txt/below ./thesis.txt/below/deep; do
	kept thesis.txt 3 "'[./]*thesis.txt' is a file" "$lycosa" archive extract --to $path "$warc"
	kept thesis.txt 3 "'[./]*thesis.txt' is a file" "$lycosa" compare web.txt --seeds roots --policies bfs --out $path
	kept thesis.txt 3 "'[./]*thesis.txt' is a file" "$lycosa" seeds web.txt --method outdegree --count 1 --out $path
	kept thesis.txt 3 "'[./]*thesis.txt' is a file" "$lycosa" coverage web.txt --out $path
	printf '[global]\npolicies = bfs\nseeds = roots\n[web]\ngraph = web.txt\n' >job.ini
	kept thesis.txt 3 "'[./]*thesis.txt' is a file" "$lycosa" study job.ini --out $path
	kept thesis.txt 3 "thesis.txt' is a file" crawl --seeds seeds.txt --store new --mirror $path
	rm -rf new
done
kept thesis.txt 3 "'thesis.txt' is a file" crawl --seeds seeds.txt --store thesis.txt
kept thesis.txt 3 "cannot make the folder 'thesis.txt/below'" crawl --seeds seeds.txt --store thesis.txt/below
kept thesis.txt 2 "'thesis.txt': it exists" "$lycosa" store merge so --into thesis.txt
kept thesis.txt 3 "cannot write 'thesis.txt/x'" "$lycosa" export --store so --pages thesis.txt/x
kept thesis.txt 3 "cannot write 'thesis.txt/x'" "$lycosa" graph convert web.txt thesis.txt/x
verdict "a file stays where a folder is named, or a part of its path"

in_store="lies in the store '.*/so', where nothing else is written"
for name in data.mdb ./data.mdb ../so/data.mdb writer new none/new; do
	kept so/data.mdb 2 "$in_store" crawl --store so --order so/$name
	kept so/data.mdb 2 "$in_store" crawl --store so --rejected so/$name
	kept so/data.mdb 2 "$in_store" crawl --store so --log so/$name
	kept so/data.mdb 2 "$in_store" crawl --store so --seeds-out so/$name
	kept so/data.mdb 2 "$in_store" crawl --store so --mirror so/$name
	kept so/data.mdb 2 "$in_store" crawl --store so --warc so/$name
	kept so/data.mdb 2 "$in_store" "$lycosa" export --store so --pages so/$name
	kept so/data.mdb 2 "$in_store" "$lycosa" export --store so --links --to sqlite so/$name
	kept so/data.mdb 2 "$in_store" "$lycosa" graph convert so so/$name
	kept so/data.mdb 2 "$in_store" "$lycosa" replay web.txt --seeds roots --order so/$name
	kept so/data.mdb 2 "$in_store" "$lycosa" store merge so --into so/$name
	kept so/data.mdb 2 "$in_store" "$lycosa" compare web.txt --seeds roots --out so/$name
done
ln -s so/data.mdb to_store
kept so/data.mdb 2 "$in_store" crawl --store so --order to_store
kept so/data.mdb 2 "$in_store" crawl --store so --order "$work/so/data.mdb"
"$lycosa" store verify --store so -q >>problem 2>&1
verdict "nothing but a crawl is written into a store"

# a folder of stored pages has the files that its index names; others may lie beside them
mkdir stored
echo '<p>a' >stored/a.html
printf 'a.html\thttp://a.test/\n' >stored/index.tsv
for file in stored/a.html stored/index.tsv; do
	kept $file 2 "--log '$file' would overwrite what --pages '$file' reads" "$lycosa" serve --pages stored --log $file
done
verdict "a log does not take the place of a stored page"

# a store without a name of its own is named after its seed
kept log 2 "--order 'log' and --log 'log' are one output" crawl --store so --log log --order log
kept "$warc" 2 "--order '$warc' and --warc 'pages' are one output" crawl --store so --warc pages --order "$warc"
seed=$(head -n 1 seeds.txt)
name=$(printf '%s' "$seed" | sed 's|http://||; s|/.*||').crawl
says 2 "--order '$name/x' lies in the store '.*/$name'" crawl "$seed" --order "$name/x"
[ ! -e "$name" ] || echo "$name was made" >>problem
kept seeds.txt 2 "stdout goes to the file of --seeds 'seeds.txt'" sh -c "'$lycosa' crawl --seeds seeds.txt --store other >>seeds.txt"
verdict "no two outputs are one file, and none lies in a store that is made"

cp web.txt web.tsv
printf '[global]\npolicies = bfs\nseeds = roots\n[web]\ngraph = web.tsv\n' >job.ini
kept web.tsv 2 "--out '.' would overwrite what graph 'web.tsv' reads" "$lycosa" study job.ini --out .
printf '[global]\npolicies = bfs\nseeds = sample:0.5:table.tsv\n[web]\ngraph = web.txt\n' >job.ini
printf '1\n2\n3\n' >table.tsv
kept table.tsv 2 "--out '.' would overwrite what seeds 'table.tsv' reads" "$lycosa" study job.ini --out .
"$lycosa" compare web.txt --seeds roots --policies bfs --out report -q >out 2>>problem
kept report/manifest.json 2 "would overwrite what --from 'report/manifest.json' reads" "$lycosa" compare --from report/manifest.json --out report
kept report/manifest.json 2 "would overwrite what 'report/manifest.json' reads" "$lycosa" study report/manifest.json --out report
"$lycosa" compare web.txt --seeds roots --policies bfs --out . -q >out 2>>problem || cat errors >>problem
verdict "what a job names counts, too, and a report may lie beside its graph"

# a page whose file would be that of an input
"$lycosa" archive extract --to probe "$warc" >out 2>>problem
file=$(cd probe && find . -type f | sed 's|^\./||' | grep -v 'robots' | sort | head -n 1)
mkdir -p "tree/${file%/*}"
cp "$warc" "tree/$file"
cp "tree/$file" before
"$lycosa" archive extract --to tree "tree/$file" >out 2>errors
cmp "tree/$file" before >>problem 2>&1 && grep -q "'tree/$file' is left out: another file, a link or a store stands in its way" errors || cat errors >>problem
mkdir -p "house/${file%%/*}"
cp so/data.mdb "house/${file%%/*}/"
"$lycosa" archive extract --to house "$warc" >out 2>errors
cmp so/data.mdb "house/${file%%/*}/data.mdb" >>problem 2>&1
[ "$(find "house/${file%%/*}" -type f)" = "house/${file%%/*}/data.mdb" ] || find house -type f >>problem
verdict "no page takes the place of a file that is read, or lies in a store"

# every output keeps a link, what it points to bears its mode, and a device stays what it is
for output in "replay web.txt --seeds roots --policy bfs --order" "graph convert web.txt" "graph convert web.txt else --write-ids" \
	"export --store so --pages" "export --store so --pages --to sqlite" "seeds web.txt --method hits --count 1 --cores" \
	"crawl -H --connect-to ::127.0.0.1:$port --delay 0 --store so --order" "crawl -H --connect-to ::127.0.0.1:$port --delay 0 --store so --rejected"; do
	rm -f link target
	echo old >target
	chmod 600 target
	ln -s target link
	"$lycosa" $output link -q >out 2>errors
	got=$?
	[ $got = 0 ] || [ $got = 19 ] || { echo "status $got: $output"; cat errors; } >>problem
	[ -L link ] && [ -f target ] && [ "$(stat -c %a target)" = 600 ] || echo "$output: $(ls -l link target)" >>problem
	[ $got = 19 ] || ! grep -qx old target || echo "$output: nothing is written" >>problem
done
verdict "an output keeps the link that it is written to, and the mode of the file"
ln -s web.txt none.link && rm -f fresh && ln -s fresh dangling && "$lycosa" graph convert web.txt dangling -q 2>>problem && [ -L dangling ] && [ -s fresh ] ||
	echo "a dangling link" >>problem
for path in /dev/null /dev/stdout /dev/fd/1 -; do
	before=$(ls -l $path 2>/dev/null | cut -c 1)
	"$lycosa" graph convert web.txt $path -q >written 2>>problem || echo "$path" >>problem
	[ "$(ls -l $path 2>/dev/null | cut -c 1)" = "$before" ] || echo "$path is another now" >>problem
	[ $path = /dev/null ] || grep -q '^[0-9]' written || echo "$path: nothing is written" >>problem
done
mkfifo pipe
cat pipe >piped &
"$lycosa" graph convert web.txt pipe -q 2>>problem
wait $!
[ -p pipe ] && [ -s piped ] || echo "a pipe" >>problem
"$lycosa" graph convert web.txt /dev/null --write-ids /dev/null -q 2>>problem || echo "/dev/null twice" >>problem
verdict "and a link to nothing, a device, a pipe and an open file"

: >problem
says 2 "'--dry-run' is a flag, and as a value it is written --mirror=--dry-run" "$lycosa" crawl --mirror --dry-run http://127.0.0.1:9/
[ ! -e ./--dry-run ] || echo "a folder was made" >>problem
verdict "a flag whose value was forgotten does not take the next flag for a folder"
