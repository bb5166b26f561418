#include "cli/flags/flag_files.h"
#include "base/buf.h"
#include "base/input.h"
#include "cli/lab/study_files.h"
#include "graph/formats/bvgraph.h"
#include "storage/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const all[] = {"/*", NULL}, *const none[] = {NULL}, *const archive[] = {"-*.warc.gz", "-*.cdxj", NULL},
			 *const store[] = {"/data.mdb", "/lock.mdb", "/writer", NULL};

static void add(struct destinations *d, enum destination_use use, const char *flag, const char *path)
{
	destinations_add(d, use, flag, path, NULL);
}

/* Adds the files of a graph in several files; `use` is that of the offsets. */
static void add_bvgraph(struct destinations *d, enum destination_use use, enum destination_use use_of_offsets, const char *flag,
	const char *path)
{
	static const char *const tail[] = {".graph", ".properties", ".offsets"};

	for (size_t i = 0; i < sizeof tail / sizeof *tail; i++) {
		char *whole = bvgraph_path(path, tail[i]);
		add(d, i == 2 ? use_of_offsets : use, flag, whole);
		free(whole);
	}
}

static void add_graph(struct destinations *d, const char *flag, const char *path)
{
	char *names;

	add(d, DESTINATION_READ, flag, path);
	add_bvgraph(d, DESTINATION_READ, DESTINATION_READ, flag, path);
	if (strcmp(path, "-") != 0 && names_beside(path, &names)) {
		add(d, DESTINATION_READ, flag, names);
		free(names);
	}
}

/* Adds the index of a folder of stored pages, and the files that the index names. A line that is no line of an index ends the list:
 * whoever reads the pages tells of it. */
static void add_pages(struct destinations *d, const char *flag, const char *folder)
{
	struct buf path = BUF_EMPTY;
	struct input *in;
	size_t length;
	char *line;

	buf_format(&path, "%s/index.tsv", folder);
	add(d, DESTINATION_READ, flag, path.at);
	if (input_open(&in, path.at, NULL) == 0) {
		while (input_line(in, &line, &length, NULL) > 0) {
			buf_clear(&path);
			buf_format(&path, "%s/%.*s", folder, (int)strcspn(line, "\t"), line);
			add(d, DESTINATION_READ, flag, path.at);
		}
		input_close(in);
	}
	buf_release(&path);
}

/* Returns the value of a text by its flag's name; NULL if there is no such flag, or no value. */
static const char *text_of(const struct flag_group *groups, const void *values, const char *name)
{
	const struct flag *row;
	const char *text = NULL;
	size_t at;

	for (size_t i = 0; (row = flags_row(groups, i, &at)) != NULL; i++)
		if (strcmp(row->name, name) == 0)
			memcpy(&text, (const char *)values + at, sizeof text);
	return text;
}

void flag_files_add(const struct flag_group *groups, const void *values, enum flag_file file, const char *flag, const char *text,
	struct destinations *d)
{
	const char *behind = strchr(text, '='), *to;

	switch (file) {
	case FLAG_NO_FILE:
		break;
	case FLAG_READS:
		add(d, DESTINATION_READ, flag, text);
		if (behind)
			add(d, DESTINATION_READ, flag, behind + 1);
		break;
	case FLAG_READS_SEEDS:
		while (strncmp(text, "sample:", 7) == 0 && strchr(text + 7, ':'))
			text = strchr(text + 7, ':') + 1;
		if (strcmp(text, "roots") != 0)
			add(d, DESTINATION_READ, flag, text);
		break;
	case FLAG_READS_FOLDER:
		destinations_add(d, DESTINATION_READ, flag, text, all);
		break;
	case FLAG_READS_PAGES:
		add_pages(d, flag, text);
		break;
	case FLAG_READS_GRAPH:
		add_graph(d, flag, text);
		break;
	case FLAG_READS_ARCHIVE:
		destinations_add(d, DESTINATION_READ, flag, text, archive);
		break;
	case FLAG_WRITES:
		add(d, DESTINATION_WRITTEN, flag, text);
		break;
	case FLAG_APPENDS:
		add(d, DESTINATION_APPENDED, flag, text);
		break;
	case FLAG_WRITES_PAGES:
		destinations_add(d, DESTINATION_WRITTEN, flag, text, none);
		break;
	case FLAG_WRITES_REPORT:
		destinations_add(d, DESTINATION_WRITTEN, flag, text, study_file_names);
		break;
	case FLAG_WRITES_ARCHIVE:
		destinations_add(d, DESTINATION_WRITTEN, flag, text, archive);
		break;
	case FLAG_WRITES_GRAPH:
		to = text_of(groups, values, "to");
		if (to && strcmp(to, "bvgraph") == 0)
			add_bvgraph(d, DESTINATION_WRITTEN, DESTINATION_WRITTEN, flag, text);
		else
			add(d, DESTINATION_WRITTEN, flag, text);
		break;
	case FLAG_WRITES_OFFSETS:
		add_bvgraph(d, DESTINATION_READ, DESTINATION_WRITTEN, flag, text);
		break;
	case FLAG_WRITES_STORE:
		destinations_add(d, DESTINATION_STORE, flag, text, store);
		break;
	}
}

/* Says whether a text is a word of its row, as the name of a policy is, and no file of that name. */
static int is_word(const struct flag *row, const char *text)
{
	const char *word;

	for (size_t i = 0; row->words && (word = row->words(i)) != NULL; i++)
		if (strcmp(word, text) == 0)
			return 1;
	return 0;
}

void flag_files(const struct flag_group *groups, const void *values, struct destinations *d)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(groups, i, &at)) != NULL; i++) {
		const char *field = (const char *)values + at;
		struct flag_list list = {NULL, 0};
		const char *text = NULL;
		char flag[64];
		if (!row->file)
			continue;
		if (row->kind == FLAG_EACH || row->kind == FLAG_COMMAS)
			memcpy(&list, field, sizeof list);
		else
			memcpy(&text, field, sizeof text);
		snprintf(flag, sizeof flag, "--%s", row->name);
		if (text && !is_word(row, text))
			flag_files_add(groups, values, row->file, flag, text, d);
		for (size_t k = 0; k < list.count; k++)
			if (!is_word(row, list.at[k]))
				flag_files_add(groups, values, row->file, flag, list.at[k], d);
	}
}

int flag_files_check(const struct destinations *d, struct err_note *why)
{
	return destinations_check(d, store_is, why);
}
