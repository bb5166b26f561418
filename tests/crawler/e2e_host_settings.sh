#!/bin/sh
# Hosts with settings of their own (--host-settings), against nginx: delay, user agent, budget, password, robots.txt and rules, and
# what the store keeps of them.
. "$(dirname "$0")/../tap.sh"
nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || skip_all "no nginx"
needs curl
plan 14

mkdir site
for i in 1 2 3 4 5 6 7 8; do
	for k in 1 2 3 4 5 6 7 8; do echo "<a href=$k.html>$k</a>"; done >site/$i.html
	echo "<p>This is page $i of eight.</p>" >>site/$i.html
done
mkdir robots
printf 'User-agent: other\nDisallow: /3.html\n\nUser-agent: *\nDisallow: /5.html\n' >robots/names
printf 'User-agent: *\nDisallow: /\n' >robots/closed
echo "me:{PLAIN}very-secret" >users
secret=$(printf 'me:very-secret' | base64)
format='$msec $request_time $server_addr $http_host "$request" $status "$http_user_agent"'
free_port
listen=$(for i in 2 3 4 5 6 7; do echo "listen 127.0.0.$i:$port;"; done)
cat >nginx.conf <<END
daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/error.log;
$([ "$(id -u)" = 0 ] && echo "user root;")
events { worker_connections 256; }
http {
	types { text/html html; } default_type text/plain;
	client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
	uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
	log_format timed '$format'; access_log $work/access.log timed;
	server { $listen server_name slow.test fast.test rules.test; root $work/site; }
	server { $listen server_name www.names.test; root $work/site; location = /robots.txt { alias $work/robots/names; } }
	server { $listen server_name closed.test; root $work/site; location = /robots.txt { alias $work/robots/closed; } }
	server { $listen server_name mine.test; root $work/site; auth_basic mine; auth_basic_user_file $work/users; }
}
END
background "$nginx" -p "$work" -c nginx.conf 2>nginx.err
servers="$servers $!"
wait_for nginx.pid . $! || { cat nginx.err >&2; exit 1; }

cat >hosts.conf <<END
# each host with one thing of its own
[host slow.test]
delay = 300ms

[domain names.test]
user-agent = other/2.0
max-per-host = 4

[host mine.test:80]
auth = basic me:very-secret

[glob clos?d.test]
no-robots = yes

[host rules.test]
reject-regex = /[4-8][.]html
END
n=1
for host in slow fast www.names mine closed rules; do
	n=$((n + 1))
	echo "connect-to = $host.test:80:127.0.0.$n:$port" >>crawl.conf
	echo "http://$host.test/1.html" >>seeds.txt
done
printf 'delay = 20ms\nseeds = %s\n' seeds.txt >>crawl.conf

# crawl ARGUMENTS
crawl() {
	"$lycosa" crawl --config crawl.conf -q "$@" >summary 2>errors
	status=$?
	settle access.log "http://127.0.0.2:$port/robots.txt"
}
figure() { awk -v name="$1" '$1 == name { print $2 }' summary; }
# answers HOST [STATUS]: how many pages of the host were answered so
answers() { grep -v ' /robots.txt ' access.log | grep -c " $1 .* ${2:-200} "; }
empty() { : >access.log; }

crawl --store plain
{
	[ $status = 0 ] || cat errors
	[ "$(answers mine.test 401)" = 1 ] || echo "mine.test answered $(answers mine.test 401) times with 401"
	[ "$(answers www.names.test)" = 7 ] || echo "$(answers www.names.test) pages of www.names.test"
	[ "$(answers closed.test)" = 0 ] || echo "pages of closed.test"
	[ "$(answers rules.test)" = 8 ] || echo "$(answers rules.test) pages of rules.test"
} >problem
verdict "without settings of their own all hosts are treated alike"
empty

crawl --store first --host-settings hosts.conf --max-pages 10 --log log.jsonl --warc pages
{
	[ $status = 0 ] && [ "$(figure crawled)" = 10 ] || cat errors summary
} >problem
verdict "a sitting with settings of hosts"
before=$(wc -l <access.log)
crawl --store first --log log.jsonl --warc pages
{
	[ $status = 2 ] && grep -q 'given --host-settings, and a store keeps no secret' errors || cat errors
} >problem
verdict "a password among them is no setting that a store keeps: it is asked for again"
crawl --store first --host-settings hosts.conf --max-pages 0 --log log.jsonl --warc pages
{ [ $status = 0 ] || cat errors; } >problem
verdict "and the crawl goes on with them to its end"
{
	[ "$(answers mine.test)" = 8 ] && [ "$(answers mine.test 401)" = 0 ] || grep mine.test access.log
} >problem
verdict "the password opens its host"
{
	grep -h mine.test access.log | grep -q ' 200 ' || echo "no page"
	grep -rla -e very-secret -e "$secret" first log.jsonl summary errors
	for f in pages-*.warc.gz; do gzip -dc "$f"; done | grep -ai -e very-secret -e "$secret" -e '^authorization'
	"$lycosa" crawl --store first --host-settings hosts.conf --print-config | grep -e very-secret -e "$secret"
	"$lycosa" crawl --config crawl.conf --store first --host-settings hosts.conf --no-log --no-warc --dry-run | grep -e very-secret -e "$secret"
} >problem 2>&1
verdict "and is in no store, log, archive or message"
{
	grep ' www.names.test ' access.log | grep -v '"other/2.0"$'
	grep -v ' www.names.test ' access.log | grep '"other/2.0"$'
	grep ' www.names.test .*/3.html' access.log
	[ "$(answers www.names.test)" = 4 ] || echo "$(answers www.names.test) pages of www.names.test"
} >problem
verdict "a user agent goes to its hosts alone, is the name in their robots.txt, and the budget is kept over two sittings"
{ [ "$(answers closed.test)" = 8 ] || echo "$(answers closed.test) pages of closed.test"; } >problem
verdict "robots.txt is ignored at the host that says so"
{
	[ "$(answers rules.test)" = 3 ] || echo "$(answers rules.test) pages of rules.test"
	[ "$(answers fast.test)" = 8 ] || echo "$(answers fast.test) pages of fast.test"
} >problem
verdict "rules for URLs hold for their host"
# of the second sitting, which knows nothing of the times of the first
tail -n +$((before + 1)) access.log | grep ' slow.test ' >slow.log
tail -n +$((before + 1)) access.log | grep ' fast.test ' >fast.log
"$lycosa" audit slow.log --format "$format" --delay 300ms --tolerance 100ms >results 2>/dev/null
awk -F '\t' '$1 == "host-delay" { exit !($2 > 3 && $3 == 0) }' results
result $? "the delay of a host is kept, as its log proves"
status 1 "$lycosa" audit fast.log --format "$format" --delay 300ms --tolerance 100ms &&
	awk -F '\t' '$1 == "host-delay" { exit !($3 > 0) }' results
result $? "and does not slow the other hosts"

# what a store keeps
grep -v -e auth -e '^.host mine' hosts.conf >open.conf
empty
crawl --store kept --host-settings open.conf --max-pages 6
crawl --store kept --max-pages 0
{
	[ $status = 0 ] || cat errors
	[ "$(answers rules.test)" = 3 ] || echo "$(answers rules.test) pages of rules.test"
	[ "$(answers www.names.test)" = 4 ] || echo "$(answers www.names.test) pages of www.names.test"
	grep ' www.names.test ' access.log | grep -v '"other/2.0"$'
	sed 's/\[4-8\]/[6-8]/' open.conf >other.conf
	crawl --store kept --host-settings other.conf
	[ $status = 2 ] && grep -q 'begun with other sections of --host-settings; .*--rescope' errors || cat errors
	crawl --store kept --host-settings other.conf --rescope --max-pages 0
	[ $status = 0 ] && [ "$(answers rules.test)" = 5 ] || { cat errors; echo "$(answers rules.test) pages after --rescope"; }
} >problem
verdict "a store keeps the settings of hosts; their rules change by --rescope"

n=0
# wrong LINE TEXT: what is said of a file that ends with that line
wrong() {
	printf '[host a.test]\ndelay = 1\n%s\n' "$1" >bad.conf
	says 2 "bad.conf:3: .*$2" "$lycosa" crawl --store none --host-settings bad.conf http://a.test/ || n=1
}
wrong 'host b.test' 'neither a section'
wrong '[host b.test' "without its ']'"
wrong '[hosts b.test]' 'no section'
wrong '[host http://b.test/]' 'a name without a scheme'
wrong '[domain b.test:8080]' 'a domain has no port'
wrong "delay-factor = soon" "soon"
wrong 'dealy = 2' "no setting.*\|setting 'dealy'.*the nearest is 'delay'"
wrong 'delay = 2' 'twice'
wrong 'no-robots = maybe' 'yes or no'
wrong 'accept-regex = (' 'regular expression'
wrong 'parallel-per-host = 0' 'parallel-per-host'
wrong 'auth = basic very-secret' 'neither .basic USER:PASSWORD'
! grep -q very-secret errors || { echo "the secret is told" >>problem; n=1; }
[ ! -e none ] || { echo "a store was made" >>problem; n=1; }
[ $n = 0 ]
result $? "what is wrong in the file is told with its line, before a store is made"
printf '[domain a.test]\nauth = basic me:it\n' >bad.conf
says 2 'bad.conf:2: auth belongs to one host' "$lycosa" crawl --store none --host-settings bad.conf http://a.test/
result $? "a password is for one host, not for a domain"
