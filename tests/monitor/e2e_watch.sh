#!/bin/sh
# What is seen of a crawl from outside: settings, plan, progress, log, metrics, summary.
. "$(dirname "$0")/../tap.sh"
needs jq curl
plan 25

"$lycosa" graph generate --nodes 400 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
head -n 20 web.urls >seeds.txt
serve --graph web.txt --faults "404=0.1,slow=1:5ms"

cat >crawl.conf <<EOF
# how the web of this test is crawled
seeds = seeds.txt
span-hosts = yes
connect-to = ::127.0.0.1:$port
delay = 0
policy = ieca
total = 400
EOF

# crawl STORE ARGUMENTS
crawl() {
	name=$1
	shift
	"$lycosa" crawl --config crawl.conf --store "$name" "$@"
}

crawl dry --dry-run >plan 2>errors
[ $? = 0 ] && [ ! -e dry ] && [ "$(grep -c '	new	in$' plan)" = 20 ] &&
	grep -qx '# setting: policy = ieca (crawl.conf:6)' plan && grep -qx '# resumed: no' plan
result $? "--dry-run tells settings and seeds, and makes no store"
crawl dry --dry-run --json --reject-regex '^http://h0.test/1$' 2>>errors | jq -e '
	.resumed == "no" and ([.rows[] | select(.scope == "regex")] | length) == 1' >/dev/null && [ ! -e dry ]
result $? "and as JSON, with what scope says of each"
crawl dry --dry-run --policy iec >plan 2>errors
[ $? = 2 ] && grep -q "the nearest is 'ieca'" errors && ! crawl dry --dry-run 'ftp://x/' >plan 2>&1
result $? "and fails where the crawl would"

crawl done --log log.jsonl --progress log -q >summary 2>errors
status=$?
cp errors problem
[ $status = 0 ]
result $? "a crawl by a file of settings"
jq -es '(map(.event) | unique) - ["crawled", "failed", "retry", "refused", "redirected"] == [] and
	all(.[]; (.url | startswith("http://")) and (.time | test("^2[0-9-]{9}T[0-9:]{8}[.][0-9]{3}Z$"))
		and (.ms | type) == "number" and (.host | type) == "string") and
	all(.[] | select(.event == "crawled"); (.status == 200 and (.links | type) == "number" and
		(.digest | length) == 32))' log.jsonl >jq.out 2>problem
result $? "the log is a line of JSON for each page"
{
	for event in crawled failed; do
		n=$(jq -r "select(.event == \"$event\").url" log.jsonl | wc -l)
		grep -qx "$event	$n" summary || echo "the summary counts other than $n $event"
	done
	"$lycosa" store dump --store done | awk -F '\t' '$2 == 200 { print $1, $3 }' | sort >dumped
	jq -r 'select(.event == "crawled") | .url + " " + .digest' log.jsonl | sort | diff - dumped
	jq -r '.depth' log.jsonl | grep -qx 3 || echo "no page is 3 deep"
} >problem
verdict "its pages and digests are the store's, its counts the summary's"

crawl parts --max-pages 40 --log parts.jsonl -q >/dev/null 2>problem
n=$(wc -l <parts.jsonl)
printf '{"cut":' >>parts.jsonl
crawl parts --max-pages 90 --log parts.jsonl -q >/dev/null 2>>problem
crawl parts --max-pages 90 --dry-run --no-log >plan 2>>problem
{
	[ "$(jq -R 'fromjson? | select(.event == "crawled") | .url' parts.jsonl | sort -u | wc -l)" -ge 90 ] ||
		echo "lines are missing"
	[ "$(grep -cx '{"cut":' parts.jsonl)" = 1 ] || echo "the line cut short is not one"
	head -n "$n" parts.jsonl | tail -n 1 | jq -e .url >/dev/null || echo "the first lines have changed"
	grep -qx '# holds_crawled: 90' plan && grep -qx '# resumed: yes' plan || cat plan
	grep -q '	crawled	in$' plan || echo "no seed is known to be crawled"
} >>problem
verdict "a log goes on, and --dry-run tells what the store holds"

crawl parts --policy opic --max-pages 90 >/dev/null 2>errors
[ $? = 2 ] && grep -q -e '--policy ieca, not opic' errors && crawl parts --policy opic --dry-run >plan 2>errors
[ $? = 2 ] && grep -q -e '--policy ieca, not opic' errors
result $? "another policy is refused, and both are named"
sed 's/^policy.*/policy = opic/; s/^total.*//' crawl.conf >changed.conf
"$lycosa" crawl --config changed.conf --store parts >/dev/null 2>errors
[ $? = 2 ] && grep -q -e '--policy ieca, not opic' errors
result $? "and so is a file of settings that has changed"
crawl scoped --max-pages 5 --reject-regex '^http://h0.test/1$' >/dev/null 2>problem
"$lycosa" crawl http://h0.test/1 --store scoped --dry-run --swap-policy opic --connect-to "::127.0.0.1:$port" >plan 2>>problem
"$lycosa" crawl --store scoped --connect-to "::127.0.0.1:$port" --dry-run --rescope --total 7 2>errors
[ $? = 2 ] && grep -q -e '--total 400, not 7' errors && grep -q '	regex$' plan
result $? "--dry-run knows what a store keeps, whatever is to be replaced"

{
	echo 'delai = 1' >bad.conf
	"$lycosa" crawl --store none --config bad.conf 2>&1
	[ $? = 2 ] || echo "not status 2"
} >errors
grep -q "bad.conf:1: unknown key 'delai'; the nearest is 'delay'" errors || cp errors problem
[ ! -e none ] || echo "a store was made" >>problem
verdict "an unknown key is refused, and the nearest named"

crawl parts --print-config --reject '*.pdf' --header 'X: "#"' >all.conf 2>problem
{
	grep -A1 '^# crawl.conf:6$' all.conf | grep -qx 'policy = ieca' || echo "no policy"
	grep -A1 '^# command line$' all.conf | grep -qx 'reject = \*.pdf' || echo "no reject"
	grep -A1 "^# kept in 'parts'$" all.conf | grep -qx '#batch = 0' || echo "nothing of the store"
	grep -A1 '^# default$' all.conf | grep -qx '#parallel = 16' || echo "no default"
	"$lycosa" crawl --config all.conf --print-config | grep -v '^#' >again
	grep -v '^#' all.conf | diff - again
} >>problem 2>&1
verdict "--print-config tells where all comes from, and reads back"

# a slow crawl, looked at while it runs
background "$lycosa" crawl --config crawl.conf --store slow --parallel 1 --warc slow --metrics 0 --progress none --delay 100ms >slow.out 2>slow.err
pid=$!
wait_for slow.err 'metrics at' $pid
at=$(sed -n 's/^lycosa: metrics at //p' slow.err)
has_crawled() {
	curl -s -D head "$at" >metrics
	[ "$(awk -v get='lycosa_pages_total{state="crawled"}' -f "$top/tests/monitor/prometheus.awk" metrics)" -gt 20 ]
}
wait_until $pid has_crawled
awk -f "$top/tests/monitor/prometheus.awk" metrics >problem
for name in queue_pages in_flight_pages seen_pages received_bytes_total store_bytes warc_bytes 'responses_total{code="200"}' fetch_duration_seconds_count \
	'hosts{state="ready"}' 'hosts{state="waiting"}' 'fetch_errors_total{kind="timeout"}' \
	'build_info{version="'"$("$lycosa" --version | cut -d ' ' -f 2)"'",policy="ieca"}'; do
	[ -n "$(awk -v get="lycosa_$name" -f "$top/tests/monitor/prometheus.awk" metrics)" ] || echo "no $name"
done >>problem
grep -qi '^content-type: text/plain; version=0.0.4; charset=utf-8' head || cat head >>problem
[ "$(awk -v get='lycosa_pages_total{state="crawled"}' -f "$top/tests/monitor/prometheus.awk" metrics)" -gt 20 ] ||
	echo "no pages are counted" >>problem
n=$(grep -c '^lycosa_host_requests{host="h[0-9]*.test"} [1-9]' metrics)
[ "$n" -ge 1 ] && [ "$n" -le 10 ] || echo "$n hosts" >>problem
verdict "metrics are read by a strict reader, and count"
for name in $(cat "$top/doc/examples/alerts.yml" "$top/doc/examples/grafana.json" | grep -oE '\b(lycosa|process)_[a-z_]+' |
	sed 's/_bucket$//' | sort -u); do
	grep -q "^# TYPE $name " metrics || echo "$name is no metric"
done >problem
jq -e '.panels | length > 10' "$top/doc/examples/grafana.json" >/dev/null || echo "no dashboard" >>problem
verdict "the alerts and the dashboard of doc/examples name metrics that are there"
if command -v promtool >/dev/null; then
	{ promtool check rules "$top/doc/examples/alerts.yml" && promtool check metrics <metrics; } >problem 2>&1 && rm -f problem
	verdict "promtool finds nothing wrong with alerts and metrics"
	# a crawl that stands for half an hour, and one that goes on
	cat >standing.yml <<-END
		rule_files: ["$top/doc/examples/alerts.yml"]
		tests:
		  - interval: 1m
		    input_series:
		      - {series: 'lycosa_queue_pages{job="lycosa",instance="stands"}', values: '7x30'}
		      - {series: 'lycosa_pages_total{job="lycosa",instance="stands",state="crawled"}', values: '100x30'}
		      - {series: 'lycosa_queue_pages{job="lycosa",instance="goes"}', values: '7x30'}
		      - {series: 'lycosa_pages_total{job="lycosa",instance="goes",state="crawled"}', values: '0+60x30'}
		    alert_rule_test:
		      - eval_time: 30m
		        alertname: CrawlStands
		        exp_alerts:
		          - exp_labels: {severity: warning, job: lycosa, instance: stands}
		            exp_annotations:
		              summary: "The crawl at stands has crawled no page for 10 minutes, with 7 pages queued"
	END
	promtool test rules standing.yml >problem 2>&1
	result $? "an alert tells of a crawl that stands"
else
	skip "promtool finds nothing wrong with alerts and metrics" "no promtool"
	skip "an alert tells of a crawl that stands" "no promtool"
fi
[ "$(curl -s -o body -w '%{http_code}' "${at%metrics}other")" = 404 ] &&
	[ "$(curl -s -o body -w '%{http_code}' -X POST -d x "$at")" = 405 ] && [ -z "$(curl -s -I "$at" | grep -i '^# ')" ]
result $? "and nothing else is there"
port=${at#http://127.0.0.1:}
crawl other --metrics "${port%/metrics}" >/dev/null 2>errors
[ $? = 3 ] && grep -q "cannot listen on 127.0.0.1:${port%/metrics}" errors && [ ! -e other ]
result $? "a port that is taken is status 3, and leaves no store"
kill -TERM $pid
wait $pid

crawl second --order - --log - >out 2>errors
[ $? = 2 ] && [ ! -e second ] && crawl second --max-pages 20 --log - -q >out 2>problem && jq -e .url out >/dev/null 2>>problem
result $? "the log may be stdout, alone"

# a terminal of 40 columns: each line that is drawn fits it, and the last is cleared
if command -v python3 >/dev/null; then
	cat >terminal.py <<'EOF'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
try:
    while piece := os.read(fd, 4096):
        text += piece
except OSError:
    pass
lines = text.split(b"\r\x1b[K")
if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) or len(lines) < 3 or lines[0] or lines[-1]:
    print("not drawn, or not cleared:", text[:300])
for line in lines:
    if len(line) > 39:
        print(len(line), "columns:", line)
if not any(b" of 120 (" in line and b" left" in line for line in lines):
    print("nothing tells what is left:", lines[:5])
EOF
	python3 terminal.py "$lycosa" crawl --config crawl.conf --store terminal --parallel 1 --max-pages 120 \
		>problem 2>&1
	verdict "the line on a terminal fits its width"
	python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$lycosa" crawl --config crawl.conf --store both \
		--parallel 1 --max-pages 120 --log - </dev/null >typescript 2>problem
	# a slow crawl says a line now and then
	[ $? = 0 ] && ! grep -q "$(printf '\033')" typescript && ! grep -qv -e '^{' -e '^lycosa: ' typescript &&
		[ "$(tr -d '\r' <typescript | grep '^{' | jq -r .event | grep -c crawled)" = 120 ]
	result $? "and is not drawn where the log is on the terminal, too"
else
	skip "the line on a terminal fits its width" "no python3"
	skip "and is not drawn where the log is on the terminal, too" "no python3"
fi

# the summary that a person reads
"$lycosa" crawl --config crawl.conf --store person --max-pages 60 --progress none -q --summary=text >summary 2>problem
{
	head -n 1 summary | grep -Eqx 'stopped at --max-pages: 60 pages crawled in [0-9.]+ s, [0-9.]+/s, [0-9.]+ KB' || echo "first line"
	grep -Eq '^  crawled +60  of [0-9]+ discovered$' summary || echo "no pages"
	grep -Eq '^Hosts with the most pages, of [0-9]+$' summary || echo "no hosts"
	grep -Eq '^ +[0-9]+  status 404$' summary || echo "no failures"
	grep -Eq '^  lycosa crawl --store person --no-max-pages +goes on \(with --connect-to given again\)$' summary || echo "no way on"
	grep -q "$(printf '\033')" summary && echo "colours in a file"
	cat summary
} >all
grep -Ex 'first line|no .*|colours.*' all >problem
verdict "the summary for a person: pages, hosts, failures, and what comes next"
"$lycosa" crawl --config crawl.conf --store reasons --max-depth 1 --warc "an archive" --progress none -q --summary=text >summary 2>problem
grep -Eq '^ +[0-9,]+  depth: it is more than --max-depth links from a seed$' summary && grep -q '^done: ' summary &&
	grep -q "lycosa archive serve 'an archive'-\*\.warc\.\*  *shows" summary && lycosa() { "$lycosa" "$@"; } &&
	[ "$(eval "$(sed -n 's/^ *\(lycosa archive\) serve \(.*[^ ]\)  *shows.*/\1 list \2/p' summary)" | grep -c '	http')" -gt 1 ]
result $? "and why pages were left out, and how those in the archive are seen"
"$lycosa" crawl --config crawl.conf --store person --max-pages 60 --progress none -q >summary 2>problem
grep -qx 'crawled	60' summary
result $? "in a file it is TSV"
if command -v python3 >/dev/null; then
	on_terminal() { env TERM=xterm "$@" python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$lycosa" crawl \
		--config crawl.conf --store person --max-pages 60 --progress none -q </dev/null; }
	on_terminal NO_COLOR= | tr -d '\r' >coloured 2>problem
	on_terminal NO_COLOR=1 | tr -d '\r' >plain 2>>problem
	grep -q "^$(printf '\033')\[1mNext" coloured && grep -qx 'Next' plain && ! grep -q "$(printf '\033')" plain
	result $? "on a terminal it has colours, unless NO_COLOR says otherwise"
else
	skip "on a terminal it has colours, unless NO_COLOR says otherwise" "no python3"
fi
