#!/bin/sh
# The documentation as a site: every page is made, every link leads to a page and to a place on it, and the search finds in a browser.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/archive/browser.sh"
needs mandoc cmark-gfm make
[ -n "$python" ] || skip_all "no python 3.10"
plan 6

# site SOURCE OUT
site() { "$python" "$top/doc/site/site.py" "$1" "$2" 2>problem; }

site "$top" html >made && make -n -C "$build" html 2>problem | grep -q 'site\.py'
result $? "the pages are made, also by make html"
{
	for man in "$top"/doc/man/*.1; do
		name=$(basename "$man" .1)
		grep -q "href=\"man/$name.html\"" html/index.html && grep -q '</html>' "html/man/$name.html" || echo "$name"
	done
	for path in $(cd "$top" && echo doc/*.md); do
		[ "$path" = doc/README.md ] || grep -q "href=\"${path%.md}.html\"" html/index.html || echo "$path is not in the menu"
	done
	for function in $(sed -n 's/.*\b\(lycosa_[a-z_]*\)(const struct lycosa_graph \*graph.*/\1/p' "$top/lib/lycosa.h"); do
		grep -q "$function" html/api-c.html || echo "$function"
	done
} >problem
verdict "the menu has each page and each manual page, the C interface each function"
"$python" "$top/tests/house/site_links.py" html >problem 2>checked
grep -q "^[1-9][0-9]* pages" checked || cp checked problem
verdict "every link leads to a page that is there"
site "$top" again >made && diff -r html again >problem
verdict "they are the same each time"

# a copy with a page that links to nothing, and one with a link to a heading that is not there
mkdir -p copy/lib/python/lycosa copy/doc/man
cp "$top/README.md" "$top/NEWS" copy/ && cp "$top/lib/lycosa.h" copy/lib/ && cp "$top/lib/python/lycosa/__init__.pyi" copy/lib/python/lycosa/
echo '# lycosa' >copy/README.md
echo '# All pages' >copy/doc/README.md
site copy first >made || echo "a small tree is refused" >>problem
for link in gone.md '#nowhere'; do
	printf '# Lost\n\n[it](%s)\n' "$link" >copy/doc/lost.md
	! site copy second >made || echo "a link to $link is accepted" >found
	grep -q "doc/lost.md: a link leads to '$link'" problem || echo "the link to $link is not named" >>found
done
: >>found
mv found problem
verdict "a link that leads nowhere is an error that names it"

if [ -n "$browser" ]; then
	open_browser
	browse answers <<-END
		open file://$work/html/doc/crawl.html
		until document.readyState === 'complete'
		eval document.getElementById('search').focus()
		type politeness delay
		until document.querySelector('#found a')
		eval [...document.querySelectorAll('#found a')].some(a => a.href.includes('/man/lycosa-crawl.html'))
		open file://$work/html/index.html?q=xyzzyx
		until document.querySelector('#found li')
		eval document.getElementById('found').textContent
	END
	close_browser
	grep -qx true answers && grep -qx 'No page has all of these words.' answers || cp answers problem
	verdict "the search finds pages, and says when it finds none"
else
	skip "the search finds pages, and says when it finds none" "no chromium"
fi
