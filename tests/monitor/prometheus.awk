# A strict reader of Prometheus' text format 0.0.4: says what is wrong, a line each, and with
# -v get='NAME{LABELS}' the value of that series.
function wrong(what) { print NR ": " what ": " $0; bad = 1 }
function family(name, base) {
	if (name in type) return name
	base = name
	sub(/_(bucket|sum|count)$/, "", base)
	return type[base] == "histogram" ? base : ""
}
function labels(text, rest) {
	rest = text
	while (match(rest, /^[a-zA-Z_][a-zA-Z0-9_]*="([^"\\]|\\\\|\\"|\\n)*"/)) {
		rest = substr(rest, RLENGTH + 1)
		if (rest == "") return 1
		if (substr(rest, 1, 1) != ",") return 0
		rest = substr(rest, 2)
	}
	return 0
}
/[\001-\037\177]/ { wrong("a control character") }
/^# HELP / {
	if ($3 !~ /^[a-zA-Z_:][a-zA-Z0-9_:]*$/ || NF < 4) wrong("a HELP without a name or a text")
	if ($3 in help) wrong("a second HELP")
	help[$3] = 1
	next
}
/^# TYPE / {
	if (NF != 4 || $4 !~ /^(counter|gauge|histogram|summary|untyped)$/) wrong("no TYPE")
	if ($3 in type) wrong("a second TYPE")
	if (!($3 in help)) wrong("a TYPE without HELP")
	if (($4 == "counter") != ($3 ~ /_total$/)) wrong("a counter ends with _total, and only it")
	type[$3] = $4
	now = $3
	next
}
/^#/ || /^$/ { wrong("neither comment nor sample"); next }
{
	if (!match($0, /^[a-zA-Z_:][a-zA-Z0-9_:]*/)) { wrong("no name"); next }
	name = substr($0, 1, RLENGTH)
	rest = substr($0, RLENGTH + 1)
	inside = ""
	if (substr(rest, 1, 1) == "{") {
		if (!match(rest, /^\{.*\} /)) { wrong("braces"); next }
		inside = substr(rest, 2, RLENGTH - 3)
		rest = substr(rest, RLENGTH)
		if (!labels(inside)) wrong("labels")
	}
	if (rest !~ /^ ([+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|NaN|[+-]?Inf)$/) wrong("no value")
	value = substr(rest, 2)
	base = family(name)
	if (base == "") wrong("no TYPE before it")
	else if (base != now) wrong("not under its TYPE")
	series = name (inside == "" ? "" : "{" inside "}")
	if (series in seen) wrong("a series twice")
	seen[series] = value
	if (series == get) print value
	if (type[base] == "counter" && value + 0 < 0) wrong("a counter below 0")
	if (name == base "_bucket") {
		if (value + 0 < last[base] + 0) wrong("a bucket below the one before it")
		last[base] = value
		if (inside ~ /le="\+Inf"/) infinite[base] = value
	}
	if (type[base] == "histogram" && name == base "_count" && infinite[base] != value)
		wrong("the count is not the last bucket's")
}
END {
	for (name in type) {
		found = 0
		for (series in seen) found = found || index(series, name) == 1
		if (!found) { print name " has no sample"; bad = 1 }
		if (type[name] == "histogram" && !((name "_sum") in seen)) { print name " has no sum"; bad = 1 }
	}
	if (!NR) { print "nothing"; bad = 1 }
	exit bad
}
