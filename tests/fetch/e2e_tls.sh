#!/bin/sh
# A site of one's own as nginx serves it: TLS and HTTP/2, IPv6, packed bodies, a password, and pages
# that have not changed since the crawl before.
. "$(dirname "$0")/../tap.sh"
nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || skip_all "no nginx"
command -v openssl >/dev/null || skip_all "no openssl for the certificate"
"$nginx" -V 2>&1 | grep -q http_v2_module || skip_all "an nginx without HTTP/2"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1 2>openssl.err || { cat openssl.err >&2; exit 1; }
needs curl
plan 16

# 40 pages, each with links to the next ones; three of them packed beforehand
mkdir -p site/in
for i in $(seq 0 39); do
	{
		echo "<!doctype html><title>$i</title>"
		for k in 1 2 3 7; do echo "<a href='p$(((i + k) % 40)).html'>$k</a>"; done
	} >site/p$i.html
done
pages=45
zstd=$(command -v zstd) && pages=47 && echo "<a href=zstd.html>z</a>" | "$zstd" -q >site/packed-zstd.html
{
	echo "<a href=p0.html>pages</a> <a href=in/one.html>mine</a>"
	echo "<a href=packed-br.html>br</a>"
	[ -z "$zstd" ] || echo "<a href=packed-zstd.html>zstd</a>"
} >site/index.html
echo "<a href=two.html>two</a>" >site/in/one.html
echo fine >site/in/two.html
# a window of 16 bits, a stored block of 16 bytes, the empty last block: RFC 7932, 9
printf '\360\000\020<a href=br.html>\003' >site/packed-br.html
echo fine >site/br.html
echo fine >site/zstd.html
echo "me:{PLAIN}very-secret" >users

free_port
[ -f /proc/net/if_inet6 ] && grep -q ' lo$' /proc/net/if_inet6 && six="listen [::1]:$port ssl http2;" || six=
cat >nginx.conf <<END
daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/error.log;
$([ "$(id -u)" = 0 ] && echo "user root;")
events { worker_connections 256; }
http {
	types { text/html html; } default_type application/octet-stream;
	client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
	uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
	log_format pages '\$status \$request_uri \$server_protocol \$connection \$sent_http_content_encoding';
	access_log $work/access.log pages;
	gzip on; gzip_min_length 10; gzip_types text/html; gzip_vary on;
	server {
		listen 127.0.0.1:$port ssl http2; $six
		ssl_certificate $work/cert.pem; ssl_certificate_key $work/key.pem;
		root $work/site; index index.html;
		location = /packed-br.html { gzip off; add_header Content-Encoding br; }
		location = /packed-zstd.html { gzip off; add_header Content-Encoding zstd; }
		location /in/ { auth_basic mine; auth_basic_user_file $work/users; }
	}
}
END
background "$nginx" -p "$work" -c nginx.conf 2>nginx.err
servers="$servers $!"
wait_for nginx.pid . $! || { cat nginx.err >&2; exit 1; }
site=https://127.0.0.1:$port
printf '%s basic me:very-secret\n' "$site" >auth

# crawl STORE FLAG...: what was asked is then in `asked`
crawl() {
	store=$1
	shift
	: >access.log
	"$lycosa" crawl --store "$store" --delay 0 --cacert cert.pem "$@" >"$store.out" 2>problem
	status=$?
	settle access.log "$site/robots.txt"
	grep -v ' /robots.txt ' access.log >asked
	return $status
}
count() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }

"$lycosa" crawl --store untrusted --delay 0 --tries 1 "$site/" >untrusted.out 2>problem
[ $? = 4 ] && "$lycosa" store explain --store untrusted "$site/" 2>&1 | grep -q tls
result $? "a certificate nobody vouches for is not trusted"

# a machine without ca-certificates: its folder is empty, for this program alone
name="a machine without certificates of authorities is told so before the first request"
if may_mount; then
	# shellcheck disable=SC2016
	says 3 "no certificates to check https with" $unshare sh -c \
		'mount -t tmpfs none /etc/ssl/certs && exec "$0" "$@"' "$lycosa" crawl -q --store bare "$site/"
	result $? "$name"
else
	skip "$name" "$no_mounts"
fi

crawl first --per-host 8 --auth auth "$site/" && [ "$(count crawled first.out)" = $pages ]
result $? "all pages come over TLS"
! grep -qv ' HTTP/2.0 ' asked
result $? "over HTTP/2"
sed '$d' access.log | awk '{ print $4 }' | sort | uniq -c >connections # without that of settle
[ "$(wc -l <connections)" = 1 ] || { cp connections problem; false; }
result $? "eight at once share one connection"
grep -q ' gzip$' asked
result $? "packed with gzip"
grep -q '^200 /br.html ' asked
result $? "links in a page packed with br are found"
if [ -n "$zstd" ]; then
	grep -q '^200 /zstd.html ' asked
	result $? "links in a page packed with zstd are found"
else
	skip "links in a page packed with zstd are found" "no zstd"
fi
grep -q '^200 /in/two.html ' asked
result $? "what a password opens is crawled"
! grep -rqE 'very-secret|bWU6dmVyeS1zZWNyZXQ' first first.out
result $? "and the password is not in the store"

# again, with the first crawl to compare with
echo "<a href=new.html>new</a>" >site/p7.html
echo fine >site/new.html
touch -d '2001-01-01' site/p7.html
crawl second --previous first --auth auth "$site/" && [ "$(count crawled second.out)" = $((pages + 1)) ]
result $? "a crawl that compares finds the same pages and the new one"
[ "$(grep -c '^304 ' asked)" = $((pages - 1)) ] && [ "$(grep -c '^200 ' asked)" = 2 ] || { cat asked >problem; false; }
result $? "and asks for the changed and the new alone"
"$lycosa" store dump --store first | grep -v /p7.html | sed 's/\t200\t/\t304\t/' >was
"$lycosa" store dump --store second | grep -v '/p7.html\|/new.html' >is
diff was is >problem
result $? "the others have the links and digests that they had"
"$lycosa" store verify --store second >problem 2>&1 && crawl third --previous second --auth auth "$site/" &&
	[ "$(grep -c '^304 ' asked)" = $((pages + 1)) ]
result $? "and can be compared with in turn"

if [ -n "$six" ]; then
	crawl six --connect-to "localhost:$port:[::1]:$port" "https://localhost:$port/p0.html" &&
		[ "$(count crawled six.out)" = 41 ]
	result $? "over IPv6"
else
	skip "over IPv6" "no IPv6 on the loopback"
fi

# through a proxy: it carries the bytes, and is told no secret
if command -v python3 >/dev/null; then
	python3 - >proxy.port 2>proxy.err <<'END' &
import socket, threading
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
def pump(a, b):
    while piece := a.recv(65536):
        b.sendall(piece)
    b.shutdown(socket.SHUT_WR)
def serve(client):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += client.recv(1)
    open("proxied", "ab").write(head)
    host, port = head.split()[1].decode().rsplit(":", 1)
    server = socket.create_connection((host, int(port)))
    client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
    threading.Thread(target=pump, args=(client, server), daemon=True).start()
    pump(server, client)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
	servers="$servers $!"
	wait_for proxy.port .
	crawl proxied-store --proxy "http://127.0.0.1:$(cat proxy.port)" --auth auth "$site/in/one.html" &&
		[ "$(count crawled proxied-store.out)" = 2 ] && grep -q "^CONNECT 127.0.0.1:$port " proxied &&
		! grep -qi authorization proxied
	result $? "through a proxy, which is not told the password"
else
	skip "through a proxy, which is not told the password" "no python3"
fi
