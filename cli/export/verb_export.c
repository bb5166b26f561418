/* `lycosa export`: the pages, links, hosts and changes of a store, for other programs. */
#include "config.h"

#include "base/log.h"
#include "cli/export/export.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"

#include <string.h>

struct export_options {
	struct standard_options standard;
	const char *store;
	int pages, links, hosts, changes;
	const char *to; /* a word of form_words */
	struct export_filter_options filter;
	int progress, damaged;
};

/* The tables, in the order in which a database has them. */
static const struct {
	const char *flag;
	size_t given; /* offset of its int in struct export_options */
	int (*run)(struct export *, struct err_note *why);
} tables[] = {
	{"pages", offsetof(struct export_options, pages), export_pages},
	{"links", offsetof(struct export_options, links), export_links},
	{"hosts", offsetof(struct export_options, hosts), export_hosts},
	{"changes", offsetof(struct export_options, changes), export_changes},
};
#define TABLES (sizeof tables / sizeof *tables)

static const char *const form_words[] =
	{[TABLE_CSV] = "csv", [TABLE_SHEET] = "sheet", [TABLE_JSONL] = "jsonl", [TABLE_SQLITE] = "sqlite"};
#define FORMS (sizeof form_words / sizeof *form_words)

static const char *form_word(size_t i)
{
	return i < FORMS ? form_words[i] : NULL;
}

static enum table_form form_of(const struct export_options *o)
{
	size_t form = 0;

	while (form < FORMS - 1 && strcmp(form_words[form], o->to) != 0)
		form++;
	return (enum table_form)form;
}

static int is_asked(const struct export_options *o, size_t table)
{
	return *(const int *)((const char *)o + tables[table].given);
}

static int check(const struct export_options *o, struct err_note *why)
{
	size_t asked = 0;

	for (size_t i = 0; i < TABLES; i++)
		asked += is_asked(o, i) != 0;
	if (asked == 0)
		return err_set(why, ERR_USAGE, "what is to be exported? give --pages, --links, --hosts or --changes");
	if (asked > 1 && form_of(o) != TABLE_SQLITE)
		return err_set(why, ERR_USAGE,
			"a file of CSV or JSON Lines has one table: give one of --pages, --links, --hosts and --changes, or --to sqlite");
	return 0;
}

/* Adds to the table `readme` what a reader of the database should know before anything else. */
static int add_remarks(const struct export_options *o, struct export *x, struct err_note *why)
{
	static const char *const policy[] = {"policy", "policy-opt"};

	TRY(table_remark(x->out, "made by", "lycosa export " PACKAGE_VERSION "; lycosa-export(1) explains all", why));
	TRY(table_remark(x->out, "store", o->store, why));
	for (size_t i = 0; i < 2; i++) {
		const char *text = store_get(x->store, policy[i]);
		if (text && *text)
			TRY(table_remark(x->out, policy[i], text, why));
	}
	return table_remark(x->out, "texts", "UTF-8; malformed bytes and NULs are U+FFFD; an empty text is NULL", why);
}

static int export_tables(const struct export_options *o, struct export *x, struct err_note *why)
{
	int err = export_facts_read(&x->facts, x->store, o->pages ? EXPORT_FACTS_ALL : EXPORT_FACTS_REFUSALS, why);

	if (!err)
		err = add_remarks(o, x, why);
	for (size_t i = 0; i < TABLES && !err; i++) {
		if (!is_asked(o, i))
			continue;
		err = tables[i].run(x, why);
		progress_done(x->progress);
		if (!err)
			log_detail("%s: %llu rows", tables[i].flag, (unsigned long long)x->rows);
	}
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct export_options *o = c->options;
	const char *path = c->flags->operands ? c->flags->operand[0] : "-";
	AUTO(export_filter) filter = {0};
	struct progress progress;
	struct export x = {.filter = &filter, .progress = &progress};
	int err = check(o, why);

	if (!err)
		err = export_filter_init(&filter, &o->filter, why);
	if (!err)
		err = open_to_read(&x.store, o->store, o->damaged, why);
	if (!err)
		err = table_open(&x.out, form_of(o), path, why);
	if (!err) {
		uint64_t passes = 0;
		for (size_t i = 0; i < TABLES; i++)
			passes += is_asked(o, i) != 0;
		progress_init(&progress, (enum progress_mode)o->progress, "pages", passes * store_pages(x.store));
		err = export_tables(o, &x, why);
		progress_done(&progress);
		export_release(&x);
		err = store_close(x.store, err, why);
		x.store = NULL;
		if (err)
			table_abandon(x.out);
		else
			err = table_close(x.out, why);
	}
	store_drop(x.store);
	return err;
}

#define OWN(field) offsetof(struct export_options, field)
static const struct export_options defaults = {.to = "csv"};
static const struct flag flags[] = {
	HEADING_ROW("Output"),
	{"store", 0, FLAG_TEXT, OWN(store), "DIR", .help = "the store of a crawl", .required = 1, .file = FLAG_READS_FOLDER},
	{"pages", 0, FLAG_SWITCH, OWN(pages), NULL, .help = "a row for each page"},
	{"links", 0, FLAG_SWITCH, OWN(links), NULL, .help = "a row for each link of a crawled page"},
	{"hosts", 0, FLAG_SWITCH, OWN(hosts), NULL, .help = "a row for each host"},
	{"changes", 0, FLAG_SWITCH, OWN(changes), NULL, .help = "a row for each change that a later visit has found"},
	{"to", 0, FLAG_TEXT, OWN(to), "FORM",
		.help = "csv, sheet (CSV without formulas), jsonl or sqlite, which takes several tables, into FILE",
		.words = form_word},
	HEADING_ROW("Filters"),
	TABLE_ROW(export_filter_flags, OWN(filter)),
	PROGRESS_ROW(OWN(progress)),
	DAMAGED_ROW(OWN(damaged)),
	STANDARD_ROWS,
};

const struct verb verb_export = VERB("export", "Exports pages, links, hosts and changes of a store as tables.", flags, defaults,
	run, .operands = "[FILE]", .operand_file = FLAG_WRITES);
