#!/bin/sh
# Links, redirects and odd spellings lead to no address of this machine but the seed's.
. "$(dirname "$0")/../tap.sh"
PATH=$PATH:/usr/sbin
needs nginx curl
plan 14

mkdir web conf logs
# a server on every address of loopback that counts, which tells who was asked for what
for port in $(seq 18700 18799); do
	cat >conf/nginx.conf <<-END
		$([ "$(id -u)" = 0 ] && echo "user root;") daemon off; worker_processes 1; pid $work/logs/pid; error_log $work/logs/error;
		events { }
		http {
			log_format who '\$server_addr \$host \$uri';
			access_log $work/logs/access who;
			default_type text/html;
			client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
			uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
			server {
				listen 127.0.0.1:$port; listen 127.0.0.2:$port; listen [::1]:$port;
				listen [::ffff:127.0.0.9]:$port ipv6only=off;
				root $work/web;
				location /to-private { return 302 http://127.0.0.1:$port/secret-redirect; }
				location /to-hex { return 302 http://0x7f000001:$port/secret-hex; }
				location /to-file { return 302 file:///etc/passwd; }
				location /to-gopher { return 302 gopher://127.0.0.1:$port/; }
			}
			server {
				listen 127.0.0.2:$port;
				server_name robots.test;
				root $work/web;
				location = /robots.txt { return 302 http://127.0.0.1:$port/secret-robots; }
			}
			server {
				listen 127.0.0.2:$port;
				server_name map.test;
				root $work/web;
				location = /robots.txt { return 200 "Sitemap: http://127.0.0.1:$port/secret-map.xml"; }
			}
		}
	END
	sed -i '/::ffff/d' conf/nginx.conf
	[ -d /proc/sys/net/ipv6 ] || sed -i 's/listen \[::1\][^;]*;//' conf/nginx.conf
	background nginx -p "$work" -c conf/nginx.conf >logs/out 2>&1
	nginx=$!
	wait_for logs/pid . $nginx && break
done
servers="$servers $nginx"
kill -0 $nginx || exit 1

cat >web/index.html <<-END
	<a href=/page.html>mine</a> <a href=/to-private>r</a> <a href=/to-hex>r</a> <a href=/to-file>r</a>
	<a href=/to-gopher>r</a>
	<a href=http://127.0.0.1:$port/secret-plain>1</a> <a href=http://localhost:$port/secret-name>2</a>
	<a href=http://[::1]:$port/secret-six>3</a> <a href=http://[::ffff:127.0.0.1]:$port/secret-mapped>4</a>
	<a href=http://2130706433:$port/secret-decimal>5</a> <a href=http://0177.0.0.1:$port/secret-octal>6</a>
	<a href=http://0x7f.1:$port/secret-short>7</a> <a href=http://0.0.0.0:$port/secret-zero>8</a>
	<a href=http://127.0.0.2:6379/secret-other>11</a> <a href=http://127.0.0.3:$port/secret-three>9</a> <a href=http://[::]:$port/secret-none>10</a>
END
echo 'page <a href=/to-private>r</a>' >web/page.html

# crawl STORE ARGUMENTS
crawl() {
	store=$1
	shift
	: >logs/access
	"$lycosa" crawl "http://127.0.0.2:$port/" --store "$store" -H --delay 0 --tries 1 -q "$@" \
		>summary 2>errors
	status=$?
	settle logs/access "http://127.0.0.2:$port/robots.txt"
}

for contact in "" "--contact me@example.org"; do
	# shellcheck disable=SC2086 # two words or none
	crawl "store$(echo $contact | wc -w)" $contact
	{
		[ $status = 0 ] || { echo "status $status"; cat errors; }
		grep -v '^127.0.0.2 ' logs/access
		grep secret logs/access
		grep -q '^127.0.0.2 127.0.0.2 /page.html' logs/access || echo "the seed's pages were not asked for"
		"$lycosa" store explain --store $store "http://127.0.0.1:$port/secret-plain" | grep -q '^# error: private' ||
			"$lycosa" store explain --store $store "http://127.0.0.1:$port/secret-plain"
	} >problem 2>&1
	verdict "nothing but the seed's address is asked ${contact:+, with a contact}"
done

crawl all --allow-private
{
	[ $status = 0 ] || cat errors
	grep -q '^127.0.0.1 127.0.0.1 /secret-plain' logs/access || cat logs/access
	grep -q '/secret-redirect' logs/access || cat logs/access
} >problem 2>&1
verdict "unless that is allowed"

crawl mapped --connect-to "127.0.0.1:$port:127.0.0.1:$port"
{
	grep -q '/secret-plain' logs/access || cat logs/access
	grep -e secret-name -e secret-six -e secret-three logs/access
} >problem 2>&1
verdict "or the user leads one host there"

: >logs/access
"$lycosa" crawl "http://localhost:$port/" --store named --delay 0 -q >summary 2>errors
{
	grep -q 'localhost /page.html' logs/access || { cat logs/access errors; }
} >problem 2>&1
verdict "a seed's host may be private by its name"

# a seed of a file may be a stranger's
: >logs/access
echo "http://127.0.0.2:$port/" >listed
"$lycosa" crawl --seeds listed --store listed.store --contact me@example.org --delay 0 -q >summary 2>errors
status=$?
{
	[ $status = 4 ] && grep -q -e --allow-private errors || { echo "status $status"; cat errors; }
	cat logs/access
} >problem 2>&1
verdict "a seed of a file has no private address in a crawl of the web"
"$lycosa" crawl "http://127.0.0.2:$port/" --retry-failed=private --store listed.store --contact me@example.org --delay 0 -q >summary 2>errors
{
	grep -q ' /page.html' logs/access || { cat logs/access errors; }
} >problem 2>&1
verdict "until the user names it"
: >logs/access
"$lycosa" crawl --store listed.store --delay 0 -q >summary 2>errors
status=$?
{
	[ $status = 2 ] && grep -q "http://127.0.0.2:$port at a private address" errors || { echo "status $status"; cat errors; }
	cat logs/access
} >problem 2>&1
verdict "a store does not open a private address by itself, and no page fails for that"
"$lycosa" crawl "http://127.0.0.2:$port/" --store listed.store --delay 0 -q >summary 2>problem
result $? "the crawl goes on where its seed is named again"
"$lycosa" crawl --store listed.store --allow-private --delay 0 -q >summary 2>problem
result $? "or where private addresses are allowed"

# a proxy for some is none for the others: those are connected to as without one
export https_proxy=http://127.0.0.2:1 no_proxy=localhost,127.0.0.0/8,::1
crawl proxied --contact me@example.org
unset https_proxy no_proxy
{
	[ $status = 0 ] || { echo "status $status"; cat errors; }
	grep -v '^127.0.0.2 ' logs/access
	grep -q '^127.0.0.2 127.0.0.2 /page.html' logs/access || echo "the seed's pages were not asked for"
} >problem 2>&1
verdict "what goes past a proxy is judged by its own address"

: >logs/access
"$lycosa" crawl http://robots.test/ http://map.test/ --store files -H --delay 0 --tries 1 -q --follow-sitemaps \
	--connect-to "robots.test:80:127.0.0.2:$port" --connect-to "map.test:80:127.0.0.2:$port" >summary 2>errors
{
	grep secret logs/access
	grep -qx '127.0.0.2 robots.test /robots.txt' logs/access || echo "no robots.txt was asked for"
	grep -qx '127.0.0.2 map.test /page.html' logs/access || { echo "no page was asked for"; cat errors; }
	"$lycosa" store explain --store files "http://127.0.0.1:$port/secret-map.xml" | grep -q '^# error: private' ||
		echo "the sitemap is not known"
} >problem 2>&1
verdict "robots.txt and sitemaps lead nowhere else"

: >logs/access
"$lycosa" crawl "http://x.test/" --store asked --delay 0 -H -q --contact me@example.org --proxy "http://127.0.0.2:$port" \
	>summary 2>errors
{
	grep secret logs/access
	grep -q ' x.test /page.html' logs/access || { echo "no page was asked for"; cat errors; }
	"$lycosa" store explain --store asked "http://localhost:$port/secret-name" | grep -q '^# error: private' ||
		"$lycosa" store explain --store asked "http://localhost:$port/secret-name"
} >problem 2>&1
verdict "nor does a proxy get a link to this machine"
"$lycosa" store explain --store all "http://127.0.0.2:6379/secret-other" >explained 2>problem
grep -q '^# error: port' explained || cat explained >>problem
verdict "a port of another protocol is not asked, not even with --allow-private"
