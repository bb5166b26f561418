/* `lycosa data`: the graphs of the catalogue, which of them are here, and how they get here. */
#include "base/buf.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "cli/verbs.h"
#include "fetch/download.h"
#include "graph/catalogue.h"

#include <nettle/md5.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUMS_FILE "SHA256SUMS" /* beside the files of a graph, in the form of sha256sum(1) */
#define HEX_ROOM  (2 * SHA256_DIGEST_SIZE + 1)

struct data_options {
	struct standard_options standard;
	struct report_options report;
	const char *from;
	uint64_t threads;
};

/* --- lycosa data list */

static int run_list(const struct command *c, struct err_note *why)
{
	static const char *const columns[] = {"name", "nodes", "arcs", "here", "what", "licence", "cite", "address", NULL};
	const struct data_options *o = c->options;
	struct results r;

	report_begin(&o->report, &r);
	results_columns(&r, columns);
	for (const struct catalogue_row *row = catalogue; row->name; row++) {
		RESULTS_CELLS(&r, cell_text(row->name), row->nodes ? cell_count(row->nodes) : cell_none(),
			row->nodes ? cell_count(row->arcs) : cell_none(), cell_text(catalogue_is_here(row) ? "yes" : "no"),
			cell_text(row->what), cell_text(row->licence), cell_text(row->cite), cell_text(row->address));
	}
	return results_end(&r, why);
}

/* --- checksums */

static void hex(const uint8_t *digest, size_t n, char *text)
{
	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

/* Reads a file and gives its two checksums as text. */
static int sums_of(const char *path, char md5[HEX_ROOM], char sha256[HEX_ROOM], struct err_note *why)
{
	static const size_t room = 1 << 16;
	struct md5_ctx m;
	struct sha256_ctx s;
	uint8_t digest[SHA256_DIGEST_SIZE], *bytes = malloc(room);
	FILE *file = fopen(path, "rb");
	size_t n = 0;

	md5_init(&m);
	sha256_init(&s);
	while (bytes && file && (n = fread(bytes, 1, room, file)) > 0) {
		md5_update(&m, n, bytes);
		sha256_update(&s, n, bytes);
	}
	const int failed = !bytes || !file || ferror(file);
	if (file)
		fclose(file);
	free(bytes);
	if (failed)
		return err_set(why, ERR_FILE, "cannot read '%s'", path);
	md5_digest(&m, MD5_DIGEST_SIZE, digest);
	hex(digest, MD5_DIGEST_SIZE, md5);
	sha256_digest(&s, SHA256_DIGEST_SIZE, digest);
	hex(digest, SHA256_DIGEST_SIZE, sha256);
	return 0;
}

/* Looks for a file in a list of checksums, lines of "SUM  NAME" or "SUM *NAME". Returns 1 if the list has another sum for it than
 * `sum`, which is then replaced by that of the list; 0 if the list has this sum, no line for the file, or is not there. *known
 * says whether there is a line. */
static int differs(const char *list, const char *name, size_t length, char sum[HEX_ROOM], int *known)
{
	const size_t digits = strlen(sum);
	struct input *in;
	size_t n;
	char *line;
	int other = 0;

	*known = 0;
	if (access(list, R_OK) || input_open(&in, list, NULL))
		return 0;
	while (!*known && input_line(in, &line, &n, NULL) > 0) {
		const char *named = line + digits + 2;
		if (n != digits + 2 + length || line[digits] != ' ' || memcmp(named, name, length) != 0)
			continue;
		*known = 1;
		other = memcmp(line, sum, digits) != 0;
		memcpy(sum, line, digits);
	}
	input_close(in);
	return other;
}

/* --- the files of a graph */

/* What is done with the files of one row. */
struct holding {
	const struct data_options *o;
	const struct catalogue_row *row;
	char *folder;
	struct progress progress;
	const char *checked; /* what the files were compared with */
	struct buf sums;     /* the lines of SUMS_FILE */
};

static char *path_in(const struct holding *h, const char *name, size_t length)
{
	struct buf path = BUF_EMPTY;

	buf_format(&path, "%s/%.*s", h->folder, (int)length, name);
	return buf_take(&path);
}

static void on_progress(void *with, uint64_t have, uint64_t total)
{
	struct holding *h = with;

	h->progress.total = total;
	progress_tick(&h->progress, have, NULL);
}

/* Fetches a file, unless it is there. Returns 1 if it is now, 0 if its owner does not have it. */
static int fetch_file(struct holding *h, const char *name, size_t length, struct err_note *why)
{
	const char *from = h->o->from ? h->o->from : h->row->address;
	AUTO(buf) url = BUF_EMPTY;
	AUTO_FREE char *path = path_in(h, name, length);
	struct download d = {.path = path, .progress = on_progress, .with = h};
	int err = 0;

	buf_format(&url, "%s%s%.*s", from, from[strlen(from) - 1] == '/' ? "" : "/", (int)length, name);
	d.url = url.at;
	if (access(path, F_OK)) {
		log_detail("%s", url.at);
		progress_init(&h->progress, (enum progress_mode)h->o->report.progress, "bytes", 0);
		err = download_file(&d, why);
		progress_done(&h->progress);
	}
	return err == ERR_NOTHING ? 0 : err ? err : 1;
}

/* Compares one file with the owner's sums, and with those of the first time. */
static int check_file(struct holding *h, const char *name, size_t length, struct err_note *why)
{
	char md5[HEX_ROOM], sha256[HEX_ROOM], *path = path_in(h, name, length), *list;
	int known, err = sums_of(path, md5, sha256, why);

	if (!err && h->row->sums) {
		list = path_in(h, h->row->sums, strlen(h->row->sums));
		if (differs(list, name, length, md5, &known))
			err = err_set(why, ERR_FORMAT,
				"'%s' differs from its owner's: MD5 %s is wanted; remove it and get it again", path, md5);
		free(list);
		h->checked = known ? "MD5" : h->checked;
	}
	if (!err) {
		list = path_in(h, SUMS_FILE, strlen(SUMS_FILE));
		buf_format(&h->sums, "%s  %.*s\n", sha256, (int)length, name);
		if (differs(list, name, length, sha256, &known))
			err = err_set(why, ERR_FORMAT,
				"'%s' has changed: SHA-256 %s is wanted, as %s says; remove it and get it again", path, sha256,
				SUMS_FILE);
		free(list);
	}
	free(path);
	return err;
}

/* Opens the graph, compares its counts with those of the catalogue, and adds its row. */
static int check_counts(struct holding *h, struct results *r, struct err_note *why)
{
	const struct catalogue_row *row = h->row;
	struct buf name = BUF_EMPTY;
	AUTO(dataset) d = {0};

	buf_format(&name, "data:%s", row->name);
	const struct dataset_where where = {.graph = name.at, .threads = threads_of(h->o->threads)};
	int err = dataset_open(&d, &where, why);
	buf_release(&name);
	if (err)
		return err;
	if (row->nodes && (row->nodes != d.graph.nodes || row->arcs != d.graph.arcs))
		err = err_set(why, ERR_FORMAT,
			"'%s' has %llu nodes and %llu arcs, and %llu and %llu are wanted: remove '%s' and get it again", row->name,
			(unsigned long long)d.graph.nodes, (unsigned long long)d.graph.arcs, (unsigned long long)row->nodes,
			(unsigned long long)row->arcs, h->folder);
	if (!err)
		RESULTS_CELLS(r, cell_text(row->name), cell_count(d.graph.nodes), cell_count(d.graph.arcs),
			cell_count(d.names.nodes), cell_hash(graph_fingerprint(&d.graph)), cell_text(h->checked),
			cell_text(h->folder));
	return err;
}

/* Fetches what is not there, if `fetches`, and checks all. */
static int hold(struct holding *h, int fetches, struct results *r, struct err_note *why)
{
	const size_t sums_length = h->row->sums ? strlen(h->row->sums) : 0;
	const char *name;
	size_t length;
	int optional, err = fetches ? folder_make(h->folder, why) : 0;

	if (!err && fetches && h->row->sums)
		err = fetch_file(h, h->row->sums, sums_length, why);
	err = err > 0 ? 0 : err; /* a list that its owner does not have is no error */
	for (size_t i = 0; !err && catalogue_file(h->row, i, &name, &length, &optional); i++) {
		char *path = path_in(h, name, length);
		const int got = fetches ? fetch_file(h, name, length, why) : access(path, F_OK) == 0;
		free(path);
		if (got < 0)
			err = got;
		else if (!got && !optional)
			err = err_set(why, ERR_FILE, "'%s' lacks %.*s%s", h->row->name, (int)length, name,
				fetches ? ", which is not at this address: --from names another"
					: ": `lycosa data get` fetches it");
		else if (!got && fetches)
			log_say("%.*s is not there, so the pages of '%s' have no URLs", (int)length, name, h->row->name);
		else if (got)
			err = check_file(h, name, length, why);
	}
	if (!err)
		err = check_counts(h, r, why);
	AUTO_FREE char *list = path_in(h, SUMS_FILE, strlen(SUMS_FILE));
	if (!err && fetches && access(list, F_OK))
		err = folder_write(h->folder, SUMS_FILE, h->sums.at, h->sums.used, why);
	return err;
}

static int hold_row(const struct data_options *o, const struct catalogue_row *row, int fetches, struct results *r,
	struct err_note *why)
{
	struct holding h = {.o = o,
		.row = row,
		.folder = catalogue_folder(row),
		.checked = row->nodes ? "counts" : "",
		.sums = BUF_EMPTY};
	const int err = hold(&h, fetches, r, why);

	buf_release(&h.sums);
	free(h.folder);
	return err;
}

/* Does it for each graph that is named, or for all that are here, also after an error in one. */
static int hold_all(const struct command *c, int fetches, struct err_note *why)
{
	static const char *const columns[] = {"name", "nodes", "arcs", "urls", "fingerprint", "checked", "folder", NULL};
	const struct data_options *o = c->options;
	struct err_note note;
	struct results r;
	int err = 0;

	for (size_t i = 0; i < c->flags->operands; i++)
		if (!catalogue_named(c->flags->operand[i], why))
			return ERR_USAGE;
	report_begin(&o->report, &r);
	results_columns(&r, columns);
	for (size_t i = 0; c->flags->operands ? i < c->flags->operands : catalogue[i].name != NULL; i++) {
		const struct catalogue_row *row = c->flags->operands ? catalogue_named(c->flags->operand[i], NULL) : &catalogue[i];
		if (!c->flags->operands && !catalogue_is_here(row))
			continue;
		const int failed = hold_row(o, row, fetches, &r, &note);
		if (failed && err)
			log_say("%s", note.text);
		else if (failed)
			err = err_set(why, (enum err)failed, "%s", note.text);
	}
	const int end = results_end(&r, err ? NULL : why);
	return err ? err : end;
}

static int run_get(const struct command *c, struct err_note *why)
{
	return hold_all(c, 1, why);
}

static int run_verify(const struct command *c, struct err_note *why)
{
	return hold_all(c, 0, why);
}

#define DATA(field) offsetof(struct data_options, field)
static const struct flag list_flags[] = {
	JSON_ROW(DATA(report.json)),
	STANDARD_ROWS,
};
static const struct flag get_flags[] = {
	{"from", 0, FLAG_TEXT, DATA(from), "URL", .help = "a folder of another server that has the files"},
	THREADS_ROW(DATA(threads)),
	JSON_ROW(DATA(report.json)),
	PROGRESS_ROW(DATA(report.progress)),
	STANDARD_ROWS,
};
static const struct data_options data_defaults;

static const struct verb verb_data_list =
	VERB("list", "Lists the public graphs that lycosa knows, and says which are here.", list_flags, data_defaults, run_list);

static const struct verb verb_data_get = VERB("get", "Downloads graphs from their owners, and checks them.", get_flags,
	data_defaults, run_get, .operands = "NAME...");

static const struct verb verb_data_verify = VERB("verify", "Checks the graphs that are here against their checksums and counts.",
	get_flags + 1, data_defaults, run_verify, .operands = "[NAME...]");

static const struct verb *const data_verbs[] = {&verb_data_list, &verb_data_get, &verb_data_verify, NULL};

const struct verb verb_data = {
	.name = "data",
	.summary = "Public web graphs: what they are, and how they get here.",
	.verbs = data_verbs,
};
