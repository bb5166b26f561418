#!/bin/sh
# Archives that are odd but legal, and damaged ones, of which each has one thing that other programs or disks have done.
. "$(dirname "$0")/../tap.sh"
needs python3
plan 4

mkdir odd
python3 "$top/tests/archive/odd_archives.py" odd >want 2>problem || cat problem
{
	"$lycosa" graph convert --graph odd --to csv links.csv 2>talk || cat talk
	sed '1d; s/^[0-9]*,[0-9]*,//' links.csv | sort | diff want -
	[ "$(wc -l <want)" -ge 40 ] || echo "few links"
} >problem 2>&1
verdict "each page of a folder of odd archives has its links"

for file in odd/*; do
	"$lycosa" archive list "$file" >listed 2>told
	case $? in
	0) case $file in odd/bad* | odd/half*) echo "$file: nothing is said of the damage" ;; esac ;;
	3) case $file in odd/bad* | odd/half*) ;; *) cat told ;; esac ;;
	*) cat told ;;
	esac
done >problem 2>&1
grep -q ' damaged places of the archives were passed over; the first: ' talk || cat talk >>problem
"$lycosa" archive list odd/bad-zip.wacz 2>&1 | grep -q 'a ZIP file, such as a WACZ, that is damaged' || echo "bad-zip.wacz" >>problem
mkdir -p none/within && echo x >none/within/page.html
says 3 "'none' is a folder without WARC, WAT or WACZ files" "$lycosa" archive list none || echo "list none" >>problem
says 3 "'none': a folder that is no store, and has no WARC, WAT or WACZ file" "$lycosa" graph info --graph none || echo "info none" >>problem
verdict "damaged archives are named, and those beside them are read"

printf '{"profile":"multi-wacz-package","resources":[{"path":"odd/in-zip.wacz"},{"path":"odd/in-zip-in-zip.wacz"}]}\n' >many.json
{
	[ "$("$lycosa" archive list many.json | grep -c '\.test/1')" = 2 ] || echo "many.json"
	"$lycosa" archive index odd/in-zip.wacz | grep -q '"filename":"a.warc.gz"' || echo "no index"
	[ "$("$lycosa" archive list odd/same-names.wacz | grep -c '\.test/1')" = 1 ] || echo "same-names.wacz"
	"$lycosa" archive check odd/in-zip-packed.wacz 2>&1 | grep 'byte 184467'
	# a stranger's file names what lies beside it, and nothing else of this machine
	mkdir -p strange/in
	cp odd/in-zip.wacz strange/in/own.wacz
	ln -s ../../odd strange/in/away
	for name in in/../../odd/in-zip.wacz "$PWD/odd/in-zip.wacz" in/away/in-zip.wacz ../odd/in-zip.wacz ../strange-beside.wacz; do
		cp odd/in-zip.wacz strange-beside.wacz
		printf '{"profile":"multi-wacz-package","resources":[{"path":"%s"},{"path":"in/own.wacz"}]}\n' "$name" >strange/many.json
		[ "$("$lycosa" archive list strange/many.json 2>told | grep -c '\.test/1')" = 1 ] || echo "$name is read"
		grep -q "many.json' names it, and may name what lies in its own folder alone" told || echo "$name is left out in silence"
	done
} >problem 2>&1
verdict "packages of packages are read, and an archive in a package is indexed"

cp odd/of-nanoseconds.warc x.warc
line='test,of-nanoseconds)/1 20240506070809 http://of-nanoseconds.test/1 text/html 200 AAAA'
printf ' CDX N b a m s k r M S V g\n%s - - 99 0 x.warc\n' "$line" >eleven.cdx
printf ' CDX N b a m s k r M V g\n%s - - 0 x.warc\n' "$line" >ten.cdx
printf '%s - 0 x.warc\n' "$line" >nine.cdx
for file in eleven ten nine; do
	"$lycosa" archive get $file.cdx --url http://of-nanoseconds.test/1 | grep -q '<a href="/2">' || echo "$file"
done >problem 2>&1
"$lycosa" archive check eleven.cdx 2>told | grep -q 'the legend of a CDX file' || cat told >>problem
verdict "indexes of the form before CDXJ are read"
