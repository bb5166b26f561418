/* Why a page does not belong to the crawl. */
#ifndef CRAWLER_REFUSAL_H
#define CRAWLER_REFUSAL_H

/* Row order is the stored number: append only; at most 16. */
#define REFUSAL_TABLE(X)                                                                           \
	X(REFUSAL_NONE, "-", "it belongs")                                                         \
	X(REFUSAL_HOST, "host", "its host is none of the crawl's")                                 \
	X(REFUSAL_DEPTH, "depth", "it is more than --max-depth links from a seed")                 \
	X(REFUSAL_SUFFIX, "suffix", "its name is not what --accept and --reject let through")      \
	X(REFUSAL_REGEX, "regex", "--accept-regex or --reject-regex keeps it out")                 \
	X(REFUSAL_PARENT, "parent", "it is above the seeds' folders")                              \
	X(REFUSAL_LENGTH, "length", "its URL is too long")                                         \
	X(REFUSAL_RULE, "rule", "a rule of --rules rejects it")                                    \
	X(REFUSAL_BUDGET, "budget", "its host or domain has had its pages")                        \
	X(REFUSAL_REPEATS, "repeats", "its path repeats itself, or is too deep")                   \
	X(REFUSAL_CALENDAR, "calendar", "its date is too far away")                                \
	X(REFUSAL_QUERIES, "queries",                                                              \
		"its path was found with too many queries, or so in another form")                 \
	X(REFUSAL_HOSTS, "hosts", "its domain has too many hosts")                                 \
	X(REFUSAL_MIRROR, "mirror", "it is on a mirror, and known under its other name")           \
	X(REFUSAL_COPY, "copy",                                                                    \
		"it was found on copies only, which have for long led to nothing but more")

enum refusal {
#define REFUSAL_NAME(name, text, meaning) name,
	REFUSAL_TABLE(REFUSAL_NAME)
#undef REFUSAL_NAME
		REFUSALS
};

const char *refusal_name(enum refusal);
const char *refusal_meaning(enum refusal);

#endif
