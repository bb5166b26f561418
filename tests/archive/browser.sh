# Sourced by tests that look at pages in a browser: $browser and $python are the programs, or empty where there are none.
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v $name)
done
python=
for try in ${TEST_PYTHON:-} python3; do
	[ -n "$python" ] || ! "$try" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || python=$try
done

# open_browser [OPTION ...]: starts a browser, which takes what browse() says until close_browser
open_browser() {
	rm -f asked answered
	mkfifo asked answered
	"$python" "$top/tests/archive/browser_keys.py" "$browser" "$@" <asked >answered 2>browser.errors &
	browsing=$!
	servers="$servers $browsing"
	exec 8>asked 9<answered
}

close_browser() {
	echo close >&8
	exec 8>&- 9<&-
	wait $browsing # servers that the test has started since have the pipe, too, so that its end is not seen
}

# browse FILE: the browser does what the lines of the input say (browser_keys.py has the verbs); what they print is then in the file. Its
# status tells whether the browser did them all.
browse() {
	{ cat && echo "eval 'all of it is done'"; } >&8 2>/dev/null
	: >"$1"
	while read -r answer <&9; do
		[ "$answer" != 'all of it is done' ] || return 0
		printf '%s\n' "$answer" >>"$1"
	done
	cat browser.errors >&2
	return 1
}
