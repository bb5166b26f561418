/* `lycosa archive check`: whether WARC files, indexes and WACZ packages keep the rules of WARC 1.0 and 1.1, CDXJ and WACZ 1.1.1. */
#include "cli/archive/archive.h"
#include "cli/results.h"
#include "storage/wacz_rules.h"
#include "storage/warc_files.h"

#include <stdlib.h>
#include <string.h>

struct checking {
	struct results results;
	struct warc_rules *rules;
	struct wacz_rules *package; /* that the file is in; NULL: none */
	const char *path;
	const struct warc_item *item;
	uint64_t number; /* of the record in the file, from 1 */
	uint64_t records, breaches;
};

static void tell(void *ctx, enum warc_level level, const char *field, const char *what)
{
	struct checking *c = ctx;

	c->breaches += level == WARC_SHALL;
	RESULTS_CELLS(&c->results, cell_text(c->path), cell_count(c->number),
		c->item->place == WARC_NO_PLACE ? cell_none() : cell_count(c->item->place),
		cell_text(level == WARC_SHALL ? "shall" : "should"), cell_text(field), cell_text(what));
}

static int check_one(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct checking *c = ctx;

	c->item = item;
	c->number = item->number;
	c->records++;
	const int err = warc_rules_record(c->rules, item, why);
	if (err)
		return err;
	if (c->package)
		wacz_rules_record(c->package, strrchr(c->path, '/') + 1, item);
	return results_stopped(&c->results) ? 1 : 0;
}

static void tell_package(void *ctx, const char *file, uint64_t line, enum warc_level level, const char *field, const char *what)
{
	struct checking *c = ctx;
	char *path;

	if (c->item) { /* of a record */
		tell(c, level, field, what);
		return;
	}
	path = buf_made("%s%s%s", c->path, *file ? "/" : "", file);
	c->breaches += level == WARC_SHALL;
	RESULTS_CELLS(&c->results, cell_text(path), line ? cell_count(line) : cell_none(), cell_none(),
		cell_text(level == WARC_SHALL ? "shall" : "should"), cell_text(field), cell_text(what));
	free(path);
}

/* Checks a file, and reports bytes that belong to no record. */
static int check_file(struct checking *c, const char *path, struct err_note *why)
{
	static const struct warc_item none = {.place = WARC_NO_PLACE};
	struct warc_damage damage = {.places = 0};

	c->path = path;
	c->number = 0;
	warc_rules_file(c->rules);
	const int got = warc_items(path, check_one, c, &damage, why);
	c->item = &none;
	if (got >= 0 && damage.places) {
		struct err_note text;
		err_set(&text, ERR_FORMAT, "places that are no record: %llu; the first: %s", (unsigned long long)damage.places,
			damage.first.text);
		tell(c, WARC_SHALL, "", text.text);
	}
	return got < 0 ? got : 0;
}

/* Checks what an operand stands for: an index; a package, and the WARC files in it; or WARC files. */
static int check_operand(struct checking *c, const char *operand, struct err_note *why)
{
	struct warc_files files = {.n = 0};
	const int is_package = wacz_is(operand), is_index = cdxj_is(operand);
	int err = 0;

	c->path = operand;
	c->item = NULL;
	if (cdxj_is_summary(operand))
		return err_set(why, ERR_USAGE, "'%s' is the summary of an index: check the index that it names, a .cdx.gz",
			operand);
	if (is_package || is_index) {
		c->package = wacz_rules_new(operand, tell_package, c);
		err = wacz_rules_check(c->package, why);
	}
	if (!err && !is_index && !warc_files_find(&files, operand) && !is_package)
		err = check_file(c, operand, why);
	for (size_t i = 0; i < files.n && !err && !results_stopped(&c->results); i++)
		err = check_file(c, files.path[i], why);
	warc_files_release(&files);
	wacz_rules_free(c->package);
	c->package = NULL;
	return err;
}

int archive_check(const struct command *command, struct err_note *why)
{
	static const char *const columns[] = {"file", "record", "offset", "rule", "field", "breach", NULL};
	const struct archive_options *o = command->options;
	struct checking c = {.records = 0};
	int err = 0;

	results_begin(&c.results, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_columns(&c.results, columns);
	c.rules = warc_rules_new(tell, &c);
	for (size_t i = 0; i < command->flags->operands && !err && !results_stopped(&c.results); i++)
		err = check_operand(&c, command->flags->operand[i], why);
	warc_rules_free(c.rules);
	const int failed = results_end(&c.results, err ? NULL : why);
	if (err || failed)
		return err ? err : failed;
	if (c.breaches)
		return err_set(why, ERR_FORMAT, "%llu breaches of rules that say 'shall', in %llu records",
			(unsigned long long)c.breaches, (unsigned long long)c.records);
	return 0;
}
