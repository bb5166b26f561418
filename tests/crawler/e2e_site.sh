#!/bin/sh
# A real site, whole: nginx serves an installed documentation package; every page reachable by links
# is found exactly once, and the stored graph is replayed.
. "$(dirname "$0")/../tap.sh"
# of several versions the newest
for folder in /usr/share/doc/postgresql-doc-*/html; do site=$folder; done
[ -d "$site" ] || skip_all "no documentation at $site (Debian: postgresql-doc)"
nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || skip_all "no nginx"
needs curl
plan 7

free_port
cat >nginx.conf <<END
daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/error.log;
$([ "$(id -u)" = 0 ] && echo "user root;")
events { worker_connections 256; }
http {
	include /etc/nginx/mime.types; default_type application/octet-stream;
	client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
	uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
	log_format pages '\$status \$request_uri'; access_log $work/access.log pages;
	server { listen 127.0.0.1:$port; root $site; index index.html; }
}
END
background "$nginx" -p "$work" -c nginx.conf 2>nginx.err
servers="$servers $!"
wait_for nginx.pid . $! || { cat nginx.err >&2; exit 1; }

"$lycosa" crawl "http://127.0.0.1:$port/index.html" --store store --delay 0 --no-parent >crawl.out 2>problem
result $? "the crawl ends"
settle access.log "http://127.0.0.1:$port/robots.txt"
grep -v ' /robots.txt$' access.log | sort >asked
sort asked | uniq -d >problem
[ ! -s problem ]
result $? "no page is asked for twice"

# what links reach, by a second method: names of files in href attributes, followed by hand
python=$(command -v python3) || python=
if [ -n "$python" ]; then
	"$python" - $site >truth 2>problem <<'END'
import html.parser, os, sys, urllib.parse
root = sys.argv[1]
class Links(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        if tag in ("a", "area"):
            for name, value in attributes:
                if name == "href" and value:
                    self.found.append(value)
seen, todo, pages = {"/index.html"}, ["/index.html"], []
while todo:
    path = todo.pop()
    name = root + urllib.parse.unquote(path.split("?")[0])
    if name.endswith("/"):
        name += "index.html"
    if not os.path.isfile(name):
        continue
    pages.append(path)
    if not name.endswith(".html"):
        continue
    parser = Links(); parser.found = []
    parser.feed(open(name, encoding="utf-8", errors="replace").read())
    for href in parser.found:
        url = urllib.parse.urljoin("http://x" + path, href).split("#")[0]
        if url.startswith("http://x/"):
            target = url[len("http://x"):]
            if target not in seen:
                seen.add(target); todo.append(target)
print("\n".join(sorted(pages)))
END
	sed -n 's/^200 //p' asked | LC_ALL=C sort >found
	LC_ALL=C sort truth | diff - found >problem
	result $? "every page reachable by links is found ($(wc -l <found))"
else
	skip "every page reachable by links is found" "no python3 for the second method"
fi
"$lycosa" store verify --store store >problem 2>&1
result $? "verify is content"
"$lycosa" crawl "http://127.0.0.1:$port/index.html" --store store --delay 0 --no-parent >again.out 2>problem &&
	[ "$(awk '$1 == "crawled_now" { print $2 }' again.out)" = 0 ]
result $? "the same command again has nothing to do"
crawled=$(awk '$1 == "crawled" { print $2 }' crawl.out)
echo "http://127.0.0.1:$port/index.html" >seeds.txt
status=0
for policy in bfs backlink opic ieca; do
	"$lycosa" replay --graph store --seeds seeds.txt --policy $policy --order order >/dev/null 2>problem &&
		[ "$(wc -l <order)" = "$crawled" ] || status=1
done
result $status "the stored graph replays whole under all four policies ($crawled pages)"
"$lycosa" rank --graph store --by pagerank --top 3 2>problem | grep -q "http://127.0.0.1:$port/"
result $? "its pages can be ranked"
