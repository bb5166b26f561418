#!/bin/sh
# Laws on the text of the sources. Each folder includes itself and the folders named here, no other; an include names its folder.
cd "$(dirname "$0")/.." || exit 1
bad=$(while read -r folder allowed; do
	find "$folder" -name '*.[ch]' | LC_ALL=C sort | xargs grep -n '^#include "[a-z]*/' /dev/null |
		while IFS= read -r line; do
			include=${line#*\"}
			case " $folder $allowed " in
			*" ${include%%/*} "*) ;;
			*) printf '%s\n' "$line" ;;
			esac
		done
done <<END
base
graph base
parser base
storage base
frontier base
seeds base graph
fetch base parser storage
traps base parser
scope base parser traps
policies base graph frontier
agents base parser frontier
refresh base frontier
crawler base graph parser storage frontier fetch traps scope policies agents refresh
monitor base parser storage frontier crawler
simweb base graph parser
lab base graph parser storage frontier seeds fetch scope policies agents crawler simweb
cli base graph parser storage frontier seeds fetch traps scope policies agents refresh crawler monitor simweb lab
lib base graph parser storage frontier seeds policies crawler lab
END
)

# Each folder in crawler/ and lab/ includes itself, the top of its room and the folders named here; the top includes none of them.
inner=$(while read -r room folder allowed; do
	case $folder in top) files=$(find "$room" -maxdepth 1 -name '*.[ch]') ;; *) files=$(find "$room/$folder" -name '*.[ch]') ;; esac
	# shellcheck disable=SC2086
	grep -n "^#include \"$room/[a-z]*/" /dev/null $files |
		while IFS= read -r line; do
			include=${line#*\""$room"/}
			case " $folder $allowed " in
			*" ${include%%/*} "*) ;;
			*) printf '%s\n' "$line" ;;
			esac
		done
done <<END
crawler top
crawler knowledge
crawler network knowledge
crawler observers network
crawler agent network observers
crawler resume knowledge network observers agent
crawler settings knowledge
crawler revisit observers settings
crawler live knowledge network observers agent resume settings revisit
lab measure
lab replay
lab study measure replay
lab report measure study
END
)
echo 1..9
if [ -z "$bad" ]; then
	echo "ok 1 - every folder includes itself and lower floors only"
else
	echo "not ok 1 - every folder includes itself and lower floors only"
	echo "$bad" | sed 's/^/# /'
fi

# a file that no list names is missing from the tarball
missing=$(find base graph parser storage frontier seeds fetch traps scope policies agents refresh crawler monitor simweb lab cli lib tests \
	\( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -name README.md \) -print | LC_ALL=C awk '
	FILENAME != "-" {
		gsub(/[^a-zA-Z0-9_.\/-]+/, " ")
		for (words = split($0, word, " "); words; words--)
			named[word[words]] = 1
		next
	}
	{ name = $0 }
	/^tests\/faults\// { name = "tests/faults" }
	/^tests\/.*\.c$/ && substr(name, 1, length(name) - 2) in named { next }
	!(name in named)' Makefile.am ./*/sources.mk -)
if [ -z "$missing" ]; then
	echo "ok 2 - every source file is named in a sources.mk or in Makefile.am"
else
	echo "not ok 2 - every source file is named in a sources.mk or in Makefile.am"
	echo "$missing" | sed 's/^/# /'
fi

if [ -z "$inner" ]; then
	echo "ok 3 - every folder of crawler and lab includes itself, the top of its room and the folders below it only"
else
	echo "not ok 3 - every folder of crawler and lab includes itself, the top of its room and the folders below it only"
	echo "$inner" | sed 's/^/# /'
fi

# The results depend on no locale: what heeds the locale of the process is called in base/ascii.c alone. A call of the printf family
# counts where a number with a fraction is among its conversions, one of the scanf family likewise, strftime() with a name of a day or month.
heeding=$(find base graph parser storage frontier seeds fetch traps scope policies agents refresh crawler monitor simweb lab cli lib \
	-name '*.[ch]' ! -path 'base/ascii.*' | LC_ALL=C sort | xargs awk '
	FNR == 1 { call = ""; comment = 0 }
	{
		line = $0
		gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
		if (comment && sub(/.*\*\//, "", line))
			comment = 0
		else if (comment)
			next
		if (sub(/\/\*.*/, "", line))
			comment = 1
		text = line
		gsub(/"[^"]*"/, "", text)
	}
	text ~ /(^|[^a-z_0-9])(strn?casecmp|strcasestr|strcoll|strxfrm|strverscmp|strto(d|f|ld)|atof|strerror(_r|_l)?|perror|strfmon|is(w)?(alpha|alnum|digit|xdigit|space|upper|lower|punct|print|graph|cntrl|blank)|tow?(lower|upper)|v(f|s|sn|as|d)?printf|v(f|s)?scanf|setlocale|newlocale|uselocale|localeconv|nl_langinfo|regcomp|fnmatch|glob|wordexp|mb[a-z]*to[a-z]*|wc[a-z]*to[a-z]*)\(/ ||
	text ~ /^#include <(ctype|strings|locale|langinfo|wchar|wctype|fnmatch|glob)\.h>/ {
		print FILENAME ":" FNR ": " $0
	}
	text ~ /(^|[^a-z_0-9])(f|s|sn|as|d)?(printf|scanf)\(/ || text ~ /(^|[^a-z_0-9])str[fp]time\(/ { call = text ~ /time\(/ ? "time" : "form" }
	call == "form" && line ~ /"[^"]*%[-+ #0-9.*]*[lL]?[aefgAEFG]/ ||
	call == "time" && line ~ /%[EO]?[aAbBcCEhOpPrxX]/ {
		gsub(/%%/, "", line)
		if (call == "time" || line ~ /%[-+ #0-9.*]*[lL]?[aefgAEFG]/)
			print FILENAME ":" FNR ": " $0
	}
	line ~ /;/ { call = "" }')
if [ -z "$heeding" ]; then
	echo "ok 4 - what heeds the locale is called in base/ascii.c alone"
else
	echo "not ok 4 - what heeds the locale is called in base/ascii.c alone"
	echo "$heeding" | sed 's/^/# /'
fi

# A command in the background empties its files some time later, and until then a test would read in them what an earlier command has left:
# background() of tests/tap.sh empties them first. A pipe is opened in the background, or the test would wait for its other end.
late=$(grep -n '>[^&].*[^&] &$' tests/*/*.sh | grep -v -e '<' -e '>pipe')
if [ -z "$late" ]; then
	echo "ok 5 - the files of a command in the background are empty before it begins"
else
	echo "not ok 5 - the files of a command in the background are empty before it begins"
	echo "$late" | sed 's/^/# /'
fi

# the formatter, and the history from the day on that this law is of: a tarball has none
if ! command -v clang-format >/dev/null; then
	echo "ok 6 - the formatter changes no source # SKIP no clang-format: apt-get install clang-format"
elif unformatted=$(build-aux/format.sh); then
	echo "ok 6 - the formatter changes no source"
else
	echo "not ok 6 - the formatter changes no source"
	echo "$unformatted" | sed 's/^/# /'
fi
long=$(git log --since=2026-11-27T00:00Z --format=%s 2>/dev/null | awk 'length > 72')
if [ -z "$long" ]; then
	echo "ok 7 - the subject of a commit has at most 72 characters"
else
	echo "not ok 7 - the subject of a commit has at most 72 characters"
	echo "$long" | sed 's/^/# /'
fi

# the formatter leaves comments as they are
wide=$(find base graph parser storage frontier seeds fetch traps scope policies agents refresh crawler monitor simweb lab cli lib tests \
	-name '*.[ch]' | LC_ALL=C sort | LC_ALL=C.UTF-8 xargs awk '
	FNR == 1 { in_comment = 0 }
	{
		text = $0
		while ((tab = index(text, "\t")))
			text = substr(text, 1, tab - 1) substr("        ", 1, 8 - (tab - 1) % 8) substr(text, tab + 1)
		code = text
		gsub(/\\./, "", code)
		gsub(/"[^"]*"/, "", code)
		if (length(text) > 132 && (in_comment || code ~ /\/[*\/]/))
			print FILENAME ":" FNR ": " $0
		if (code ~ /\*\//)
			in_comment = 0
		sub(/.*\*\//, "", code)
		if (code ~ /\/\*/)
			in_comment = 1
	}')
if [ -z "$wide" ]; then
	echo "ok 8 - no comment is wider than 132 columns"
else
	echo "not ok 8 - no comment is wider than 132 columns"
	echo "$wide" | sed 's/^/# /'
fi

# A circle: files of one folder each of which reaches every other by calls, so that none can be understood before the others. Who calls
# whom is read from the objects of the build: one refers to a function that another defines. Data does not count: a table may name rows
# whose functions search the table. Files that are one idea are one file, and of others the lower one calls nothing above it.
most_circles=5
objects=
cd "${TEST_BUILD_DIR:-build}" 2>/dev/null && objects=$(find base graph parser storage frontier seeds fetch traps scope policies agents refresh \
	crawler monitor simweb lab cli lib -name '*.o' 2>/dev/null | LC_ALL=C sort | while read -r object; do
	[ ! -f "$OLDPWD/${object%.o}.c" ] || echo "$object"
done)
if [ -z "$objects" ]; then
	echo "ok 9 - at most $most_circles times files of a folder call each other in a circle # SKIP nothing is built: run make"
	exit
fi
# shellcheck disable=SC2086
circles=$(nm -A -P $objects | LC_ALL=C awk '
	function folder(file) { sub(/\/[^\/]*$/, "", file); return file }
	function visit(file, from, n, next_one, i) {
		reach[from, file] = 1
		n = split(calls[file], next_one, " ")
		for (i = 1; i <= n; i++)
			if (!((from, next_one[i]) in reach))
				visit(next_one[i], from)
	}
	{ sub(/\.o:$/, ".c", $1) }
	$3 == "T" { home[$2] = $1 }
	$3 == "U" { caller[++uses] = $1; used[uses] = $2 }
	{ if (!($1 in known)) { known[$1] = 1; file[++files] = $1 } }
	END {
		for (i = 1; i <= uses; i++) {
			to = home[used[i]]
			if (to && to != caller[i] && folder(to) == folder(caller[i]) && index(calls[caller[i]] " ", " " to " ") == 0)
				calls[caller[i]] = calls[caller[i]] " " to
		}
		for (i = 1; i <= files; i++) {
			n = split(calls[file[i]], first, " ")
			for (k = 1; k <= n; k++)
				if (!((file[i], first[k]) in reach))
					visit(first[k], file[i])
		}
		for (i = 1; i <= files; i++) {
			if (file[i] in told || !((file[i], file[i]) in reach))
				continue
			circle = file[i]
			for (k = i + 1; k <= files; k++)
				if ((file[i], file[k]) in reach && (file[k], file[i]) in reach) {
					circle = circle " " file[k]
					told[file[k]] = 1
				}
			print circle
		}
	}')
if [ "$(printf '%s' "$circles" | grep -c .)" -le "$most_circles" ]; then
	echo "ok 9 - at most $most_circles times files of a folder call each other in a circle"
else
	echo "not ok 9 - at most $most_circles times files of a folder call each other in a circle"
	echo "$circles" | sed 's/^/# /'
fi
