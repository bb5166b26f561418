#!/bin/sh
# The files of the service that the Debian package installs: systemd and logrotate read them without a word.
. "$(dirname "$0")/../tap.sh"
plan 5
mkdir units
ln -s "$lycosa" lycosa # a blank would end the path in a unit
sed "s,^ExecStart=/usr/bin/lycosa,ExecStart=$work/lycosa," "$top/debian/lycosa.lycosa@.service" >units/lycosa@one.service
# the options below are as old as version 250
version=$(systemd-analyze --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
if [ "${version:-0}" -ge 250 ]; then
	grep -q "^ExecStart=$work/lycosa crawl" units/lycosa@one.service || echo "the unit does not start lycosa" >problem
	sed -f "$top/debian/recrawl.sed" "$top/debian/lycosa.lycosa@.service" | sed "s,^ExecStart=/usr/lib/lycosa,ExecStart=$top/debian," \
		>units/lycosa-recrawl@one.service
	cp "$top/debian/lycosa.lycosa-recrawl@.timer" units/lycosa-recrawl@one.timer
	grep -q "^ExecStart=.*/lycosa-recrawl %i" units/lycosa-recrawl@one.service || echo "the unit does not recrawl" >>problem
	for unit in lycosa@one.service lycosa-recrawl@one.service lycosa-recrawl@one.timer; do
		case $unit:$top in
		lycosa-recrawl*:*' '*) continue ;; # a blank ends the path
		esac
		SYSTEMD_UNIT_PATH=$PWD/units: systemd-analyze verify --man=no "./units/$unit" >>problem 2>&1 || echo "status $?" >>problem
	done
	verdict "systemd finds nothing wrong with the units"
	# 10 is a service that may do everything
	systemd-analyze security --offline=true --threshold=25 ./units/lycosa@one.service >exposure 2>&1 || tail -n 3 exposure >problem
	verdict "and its exposure is at most 2.5 of 10"
else
	skip "systemd finds nothing wrong with the units" "no systemd-analyze of systemd 250"
	skip "and its exposure is at most 2.5 of 10" "no systemd-analyze of systemd 250"
fi
logrotate=$(PATH=$PATH:/usr/sbin command -v logrotate)
if [ -n "$logrotate" ]; then
	sed "s,^/var/log/lycosa,$work/logs,; /^	su /d" "$top/debian/lycosa.logrotate" >rotate
	mkdir -m 750 logs && echo '{}' >logs/one.jsonl
	chmod 644 rotate
	"$logrotate" --state "$work/state" --force rotate >problem 2>&1 || echo "status $?" >>problem
	[ -s logs/one.jsonl.1 ] || ls logs >>problem
	verdict "logrotate moves a log away"
else
	skip "logrotate moves a log away" "no logrotate"
fi

# recrawl: as the unit runs it
recrawl() { STATE_DIRECTORY=$work/state.d CONFIGURATION_DIRECTORY=$work LOGS_DIRECTORY=$work LYCOSA=$lycosa "$top/debian/lycosa-recrawl" site; }
mkdir state.d
"$lycosa" graph generate --nodes 40 --to edges web.txt 2>problem
serve --graph web.txt
printf 'seeds = %s/site.seeds\ndelay = 0\nmax-pages = 30\n' "$work" >site.conf
echo "http://127.0.0.1:$port/0" >site.seeds
recrawl >out 2>&1 && echo "a site that nobody has crawled is recrawled" >>problem
grep -q 'start lycosa@site first' out || cat out >>problem
"$lycosa" crawl --config site.conf --store state.d/site -q >out 2>>problem
recrawl >out 2>&1 || cat out >>problem
second=$(cd state.d && echo site.*Z)
[ "$(wc -l <"state.d/$second.seeds")" -gt 1 ] || echo "no seeds of the last crawl" >>problem
"$lycosa" export --store "state.d/$second" --pages | grep -c ',crawled,,304,' >n
[ "$(cat n)" -ge 20 ] || echo "only $(cat n) pages were not fetched again" >>problem
[ ! -e state.d/site.begun ] || echo "it is not at its end" >>problem
verdict "a recrawl begins with new seeds, and fetches only what has changed"
echo "site.20990101T000000Z $second" >state.d/site.begun
cp site.seeds state.d/site.20990101T000000Z.seeds
recrawl >out 2>&1 || cat out >>problem
[ -e state.d/site.20990101T000000Z/data.mdb ] && [ ! -e state.d/site.begun ] && [ "$(cd state.d && echo site.*Z | wc -w)" = 2 ] || ls state.d >>problem
verdict "one that was stopped goes on"
