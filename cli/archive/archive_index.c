/* `lycosa archive index`: the index of WARC files in the format CDXJ, as replay programs read it. */
#include "base/log.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/archive/archive.h"

#include <stdlib.h>
#include <string.h>

struct indexing {
	struct buf *lines;
	const char *name;
	uint64_t without_place;
};

static int add_one(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct indexing *x = ctx;

	(void)why;
	if (item->place == WARC_NO_PLACE || !item->is_alone)
		x->without_place++;
	else
		cdxj_record(x->lines, item, x->name, item->place, item->length);
	return 0;
}

int archive_index_file(struct buf *lines, const char *path, struct err_note *why)
{
	struct indexing x = {lines, archive_name(path), 0};
	struct warc_damage damage = {.places = 0};
	const int err = warc_items(path, add_one, &x, &damage, why);

	if (!err && x.without_place)
		return err_set(why, ERR_FORMAT,
			"'%s' cannot be indexed, since a reader can reach %llu of its records only from its start: each record needs a gzip "
			"member of its own",
			path, (unsigned long long)x.without_place);
	if (!err && damage.places)
		log_say("%s; %llu such places are not in the index", damage.first.text, (unsigned long long)damage.places);
	return err;
}

/* Says whether a file lies in the folder of the index, where readers of the index look for it. */
static int is_beside(const char *file, const char *index)
{
	const size_t file_n = (size_t)(archive_name(file) - file), index_n = (size_t)(archive_name(index) - index);
	char *of_file = mem_part(file, file_n), *of_index = mem_part(index, index_n);
	char *a = realpath(file_n ? of_file : ".", NULL), *b = realpath(index_n ? of_index : ".", NULL);
	const int is = a && b && strcmp(a, b) == 0;

	free(a);
	free(b);
	free(of_file);
	free(of_index);
	return is;
}

/* Writes a ZipNum index: x.cdx.gz, and its summary x.idx, which is written last, since a reader begins with it. */
static int write_packed(const char *to, struct buf *lines, size_t block, struct err_note *why)
{
	static const char end[] = ".gz";
	const size_t n = strlen(to), name_n = n > sizeof end ? n - (sizeof end - 1) : n;
	struct buf packed = BUF_EMPTY, summary = BUF_EMPTY;

	if (!cdxj_is(to) || strcmp(to + name_n, end) != 0)
		return err_set(why, ERR_USAGE, "--block packs the index: its name shall end in .cdx.gz, as in --to index.cdx.gz");
	char *stem = mem_part(to, name_n);
	*strrchr(stem, '.') = 0;
	char *idx = buf_made("%s.idx", stem);
	cdxj_sort(lines);
	cdxj_pack(lines, block, archive_name(to), &packed, &summary);
	int err = output_whole(to, packed.at, packed.used, why);
	if (!err)
		err = output_whole(idx, summary.at, summary.used, why);
	buf_release(&packed);
	buf_release(&summary);
	free(stem);
	free(idx);
	return err;
}

int archive_index(const struct command *command, struct err_note *why)
{
	const struct archive_options *o = command->options;
	const char *to = o->to ? o->to : "-";
	struct buf lines = BUF_EMPTY;
	int err = 0;

	for (size_t i = 0; i < command->flags->operands && !err; i++) {
		const char *path = command->flags->operand[i];
		if (strcmp(to, "-") != 0 && !is_beside(path, to))
			err = err_set(why, ERR_USAGE,
				"'%s' does not lie in the folder of the index '%s', where readers look for it", path, to);
		else
			err = archive_index_file(&lines, path, why);
	}
	if (!err)
		err = o->block ? write_packed(to, &lines, o->block, why) : cdxj_write(to, &lines, why);
	buf_release(&lines);
	return err;
}
