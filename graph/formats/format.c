#include "graph/formats/format.h"
#include "base/ascii.h"
#include "graph/formats/formats.h"
#include "graph/formats/bvgraph.h"
#include "graph/formats/dated.h"
#include "base/buf.h"
#include "base/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const struct graph_format graph_formats[] = {
	{"cc", "Common Crawl's vertices and edges, a folder or a pair; only read", cc_detect, cc_load, NULL, NULL, 0, NULL},
	{"csr", "lycosa's own, used where it lies, through a mapping", csr_detect, csr_load, csr_save, NULL, 0, NULL},
	{"mtx", "Matrix Market, coordinate form; nodes are numbered from 1", mtx_detect, mtx_load, mtx_save, NULL, LOSES_LABELS,
		NULL},
	{"bvgraph", "WebGraph's BVGraph: x.graph, x.properties, x.offsets", bvgraph_detect, bvgraph_load, bvgraph_save,
		bvgraph_verify, LOSES_LABELS, NULL},
	{"edges", "SNAP edge list, a line an arc; may be compressed", edges_detect, edges_load, edges_save, NULL, 0, NULL},
	{"asciigraph", "WebGraph's ASCIIGraph: N, then the targets of a node a line", asciigraph_detect, asciigraph_load,
		asciigraph_save, NULL, LOSES_LABELS, NULL},
	{"adjacency", "lists 'FROM: TO TO ... -1'; only read", adjacency_detect, adjacency_load, NULL, NULL, 0, NULL},
	{"kleinberg", "lines 'n ID URL' and 'e FROM TO'; only read", kleinberg_detect, kleinberg_load, NULL, NULL, 0, NULL},
	{"dated", "links of hosts by month, 'YYYYMM FROM TO COUNT'; only read", dated_detect, dated_load, NULL, NULL, 0, NULL},
	{"table", "links of URLs, hosts or names, a line a link; CSV, TSV; only read", table_detect, table_load, NULL, NULL, 0,
		NULL},
	{"graphml", "GraphML, for Gephi, NetworkX, igraph; only written", NULL, NULL, graphml_save, NULL, 0, graphml_save_urls},
	{"csv", "a table 'Source,Target'; read as an edge list", NULL, NULL, csv_save, NULL, LOSES_ISOLATED, csv_save_urls},
	{.name = NULL},
};

const struct graph_format *graph_format_named(const char *name)
{
	for (const struct graph_format *f = graph_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* Returns 1 if a file is text: it is then read as an edge list, whose reader names the malformed line. Returns 0 if it is not
 * text, and an error if it is empty or cannot be unpacked. */
static int is_text(const char *path, struct err_note *why)
{
	struct input *in;
	const char *bytes;
	size_t n = 0;
	int is = 0, got = input_open(&in, path, why);

	if (got)
		return got;
	got = input_chunk(in, &bytes, &n, why);
	if (!got)
		got = err_set(why, ERR_FORMAT, "'%s' is empty", path);
	if (got > 0) {
		is = 1;
		for (size_t i = 0; i < n; i++)
			is &= (unsigned char)bytes[i] >= ' ' || strchr("\t\n\r\f", bytes[i]) != NULL;
		is = is && !memchr(bytes, 0, n);
	}
	input_close(in);
	return got < 0 ? got : is;
}

static int unknown(const char *path, struct err_note *why)
{
	struct buf names = BUF_EMPTY;

	for (const struct graph_format *f = graph_formats; f->name; f++)
		if (f->load)
			buf_format(&names, "%s%s", names.used ? ", " : "", f->name);
	err_set(why, ERR_FORMAT, "'%s' is in none of the formats that can be read: %s", path, names.at);
	buf_release(&names);
	return ERR_FORMAT;
}

/* Finds the format, or says why there is none. */
static int find_format(const char *path, const struct graph_format **found, struct err_note *why)
{
	struct stat st;

	*found = graph_format_named("edges");
	if (strcmp(path, "-") == 0)
		return 0;
	const int is_there = stat(path, &st) == 0;
	const int code = errno;
	/* a pipe or device cannot be read twice, so it is taken for an edge list without detection */
	if (is_there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		if (f->load && f->detect(path)) {
			*found = f;
			return 0;
		}
	}
	if (is_there && S_ISDIR(st.st_mode))
		return err_set(why, ERR_FILE, "cannot read '%s': a folder that is no store, and has no WARC, WAT or WACZ file",
			path);
	if (!is_there && code == ENOENT)
		return err_set(why, ERR_FILE, "cannot open '%s': no such file, and no '%s.graph'", path, path);
	if (!is_there)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(code));
	const int is = is_text(path, why);
	return is < 0 ? is : is ? 0 : unknown(path, why);
}

int graph_open(const char *path, const struct graph_load *load, struct graph *g, const struct graph_format **format,
	struct err_note *why)
{
	const struct graph_format *f;

	*g = (struct graph){0};
	const int err = find_format(path, &f, why);
	if (err)
		return err;
	if (format)
		*format = f;
	return f->load(path, load, g, why);
}
