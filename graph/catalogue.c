#include "graph/catalogue.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "data:"

#define BV_CITE "P. Boldi and S. Vigna, The WebGraph Framework I: Compression Techniques, WWW 2004"
#define BUBING  "P. Boldi, A. Marino, M. Santini and S. Vigna, BUbiNG: Massive Crawling for the Masses, WWW 2014 Companion"
#define LESKOVEC \
	"J. Leskovec, K. Lang, A. Dasgupta and M. Mahoney, Community Structure in Large Networks, Internet Mathematics 6, 2009"
#define BARABASI   "R. Albert, H. Jeong and A.-L. Barabasi, Diameter of the World-Wide Web, Nature 401, 1999"
#define YIN        "H. Yin, A. Benson, J. Leskovec and D. Gleich, Local Higher-Order Graph Clustering, KDD 2017"
#define NOT_STATED "none stated; cite the publication"

#define LAW_URLS(id, what, nodes, arcs, cite) \
	{ \
		id, what, nodes, arcs, "http://data.law.di.unimi.it/webdata/" id "/", \
			" " id ".graph " id ".properties ?" id ".urls.gz", id ".md5sums", NOT_STATED, cite \
	}
#define SNAP(id, what, nodes, arcs, cite) \
	{ \
		id, what, nodes, arcs, "https://snap.stanford.edu/data/", " " id ".txt.gz", NULL, NOT_STATED, cite \
	}
#define COMMON_CRAWL(release, level, what) \
	{ \
		"cc-" release "-" level, what, 0, 0, \
			"https://data.commoncrawl.org/projects/hyperlinkgraph/cc-main-" release "/" level "/", \
			" cc-main-" release "-" level ".graph cc-main-" release "-" level ".properties", NULL, \
			"Common Crawl's terms of use", "Common Crawl, Host- and Domain-Level Web Graphs " release \
	}

const struct catalogue_row catalogue[] = {
	LAW_URLS("cnr-2000", "pages of cnr.it, a crawl of 2000", 325557, 3216152, BV_CITE),
	LAW_URLS("in-2004", "pages of .in, 2004", 1382908, 16917053, BV_CITE),
	LAW_URLS("eu-2005", "pages of .eu.int, 2005", 862664, 19235140, BV_CITE),
	LAW_URLS("uk-2007-05@100000", "the first 100,000 pages of uk-2007-05", 100000, 3050615, BV_CITE),
	LAW_URLS("uk-2007-05@1000000", "the first million pages of uk-2007-05", 1000000, 41247159, BV_CITE),
	LAW_URLS("uk-2002", "pages of .uk, 2002", 18520486, 298113762, BV_CITE),
	LAW_URLS("indochina-2004", "pages of the countries of Indochina, 2004", 7414866, 194109311, BV_CITE),
	LAW_URLS("arabic-2005", "pages of countries whose language is Arabic, 2005", 22744080, 639999458, BV_CITE),
	LAW_URLS("uk-2005", "pages of .uk, 2005", 39459925, 936364282, BV_CITE),
	LAW_URLS("it-2004", "pages of .it, 2004", 41291594, 1150725436, BV_CITE),
	LAW_URLS("webbase-2001", "the Web as WebBase crawled it in 2001", 118142155, 1019903190, BV_CITE),
	LAW_URLS("sk-2005", "pages of .sk, 2005", 50636154, 1949412601, BV_CITE),
	LAW_URLS("uk-2014-host", "hosts of .uk, 2014", 4769354, 50829923, BUBING),
	LAW_URLS("eu-2015-host", "hosts of .eu, 2015", 11264052, 386915963, BUBING),
	SNAP("web-Google", "pages of Google's programming contest, 2002", 875713, 5105039, LESKOVEC),
	SNAP("web-Stanford", "pages of stanford.edu, 2002", 281903, 2312497, LESKOVEC),
	SNAP("web-BerkStan", "pages of berkeley.edu and stanford.edu, 2002", 685230, 7600595, LESKOVEC),
	SNAP("web-NotreDame", "pages of nd.edu, 1999", 325729, 1497134, BARABASI),
	SNAP("wiki-topcats", "articles of Wikipedia's largest categories, 2011", 1791489, 28511807, YIN),
	COMMON_CRAWL("2024-feb-apr-may", "domain", "domains of three crawls of the whole Web, 2024"),
	COMMON_CRAWL("2024-feb-apr-may", "host",
		"hosts of three crawls of the whole Web, 2024; 337 million nodes, 2.6 billion arcs"),
	{.name = NULL},
};

int catalogue_is(const char *graph)
{
	return strncmp(graph, PREFIX, strlen(PREFIX)) == 0;
}

const struct catalogue_row *catalogue_named(const char *name, struct err_note *why)
{
	const char *best = NULL, *wanted = catalogue_is(name) ? name + strlen(PREFIX) : name;
	size_t distance = 0;

	for (const struct catalogue_row *row = catalogue; row->name; row++) {
		if (strcmp(row->name, wanted) == 0)
			return row;
		nearest_try(wanted, row->name, &best, &distance);
	}
	if (nearest_is_near(wanted, distance))
		err_set(why, ERR_USAGE, "the catalogue has no '%s'; the nearest is '%s', and `lycosa data list` shows all", wanted,
			best);
	else
		err_set(why, ERR_USAGE, "the catalogue has no '%s'; `lycosa data list` shows what it has", wanted);
	return NULL;
}

char *catalogue_folder(const struct catalogue_row *row)
{
	const char *data = getenv("LYCOSA_DATA"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct buf folder = BUF_EMPTY;

	if (data && *data)
		buf_format(&folder, "%s/%s", data, row->name);
	else if (cache && *cache == '/')
		buf_format(&folder, "%s/lycosa/%s", cache, row->name);
	else
		buf_format(&folder, "%s/.cache/lycosa/%s", home && *home ? home : ".", row->name);
	return buf_take(&folder);
}

int catalogue_file(const struct catalogue_row *row, size_t i, const char **name, size_t *length, int *optional)
{
	const char *at = row->files;

	for (; *at == ' '; at += 1 + *length) {
		*length = strcspn(at + 1, " ");
		if (i-- == 0) {
			*optional = at[1] == '?';
			*name = at + 1 + *optional;
			*length -= (size_t)*optional;
			return 1;
		}
	}
	return 0;
}

char *catalogue_path(const struct catalogue_row *row)
{
	static const char graph[] = ".graph";
	AUTO_FREE char *folder = catalogue_folder(row);
	struct buf path = BUF_EMPTY;
	const char *name;
	size_t length;
	int optional;

	if (catalogue_file(row, 0, &name, &length, &optional)) {
		const size_t tail = sizeof graph - 1;
		if (length > tail && memcmp(name + length - tail, graph, tail) == 0)
			length -= tail;
		buf_format(&path, "%s/%.*s", folder, (int)length, name);
	}
	return buf_take(&path);
}

int catalogue_is_here(const struct catalogue_row *row)
{
	AUTO_FREE char *folder = catalogue_folder(row);
	AUTO(buf) path = BUF_EMPTY;
	size_t length;
	const char *name;
	int optional, here = 1;

	for (size_t i = 0; here && catalogue_file(row, i, &name, &length, &optional); i++) {
		buf_clear(&path);
		buf_format(&path, "%s/%.*s", folder, (int)length, name);
		here = optional || access(path.at, R_OK) == 0;
	}
	return here;
}
