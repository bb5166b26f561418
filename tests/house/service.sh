#!/bin/sh
# The files of the service that the Debian package installs: systemd and logrotate read them without a word.
. "$(dirname "$0")/../tap.sh"
plan 3
mkdir units
ln -s "$lycosa" lycosa # a blank would end the path in a unit
sed "s,^ExecStart=/usr/bin/lycosa,ExecStart=$work/lycosa," "$top/debian/lycosa.lycosa@.service" >units/lycosa@one.service
# the options below are as old as version 250
version=$(systemd-analyze --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
if [ "${version:-0}" -ge 250 ]; then
	grep -q "^ExecStart=$work/lycosa crawl" units/lycosa@one.service || echo "the unit does not start lycosa" >problem
	systemd-analyze verify --man=no ./units/lycosa@one.service >>problem 2>&1 || echo "status $?" >>problem
	verdict "systemd finds nothing wrong with the unit"
	# 10 is a service that may do everything
	systemd-analyze security --offline=true --threshold=25 ./units/lycosa@one.service >exposure 2>&1 || tail -n 3 exposure >problem
	verdict "and its exposure is at most 2.5 of 10"
else
	skip "systemd finds nothing wrong with the unit" "no systemd-analyze of systemd 250"
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
