#include "cli/graph_target.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

static const char *format_word(size_t i)
{
	for (const struct graph_format *f = graph_formats; f->name; f++)
		if (f->save && !i--)
			return f->name;
	return NULL;
}

#define MEMORY_ROW(place)                                                                          \
	{                                                                                          \
		"memory", 0, FLAG_BYTES, place, "SIZE",                                            \
			.help = "for links; what is more goes to temporary files"                  \
	}

#define TARGET(field) offsetof(struct target_options, field)
const struct flag target_flags[] = {
	{"to", 0, FLAG_TEXT, TARGET(to), "FORMAT",
		.help = "what to write; see 'lycosa list formats'", .words = format_word},
	{"write-urls", 0, FLAG_TEXT, TARGET(write_urls), "FILE",
		.help = "write the URL of node i on line i, too"},
	{"write-hosts", 0, FLAG_TEXT, TARGET(write_hosts), "FILE",
		.help = "write the host of node i on line i, too"},
	MEMORY_ROW(TARGET(memory)),
	{.name = NULL},
};
const struct flag memory_flag[] = {MEMORY_ROW(0), {.name = NULL}};

struct graph_space target_space(const struct target_options *o, const char *out)
{
	const char *usual = getenv("TMPDIR"), *slash = strrchr(out, '/');
	struct graph_space space = {.memory = o->memory};

	if ((usual && *usual) || strcmp(out, "-") == 0)
		return space;
	char *folder = mem_text(slash ? out : ".");
	if (slash)
		folder[slash == out ? 1 : slash - out] = 0;
	space.folder = folder;
	return space;
}

int target_open(const struct graph_options *o, const struct graph_space *space, unsigned threads,
	struct dataset *d, struct err_note *why)
{
	const struct dataset_where where = {o->graph, o->urls, o->hosts, threads};

	return dataset_open_within(d, &where, space, why);
}

static int write_names(const struct names *names,
	const char *(*name)(const struct names *, uint32_t), const char *path, struct err_note *why)
{
	struct output *out;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	for (uint32_t i = 0; i < names->nodes; i++) {
		output_text(out, name(names, i));
		output_text(out, "\n");
	}
	return output_close(out, why);
}

int target_write(const struct target_options *o, const struct graph *g, const struct names *names,
	const char *path, struct err_note *why)
{
	int err = 0;

	if (o->write_urls && (!names->nodes || !names->text))
		return err_set(
			why, ERR_USAGE, "--write-urls %s: the graph has no URLs", o->write_urls);
	if (o->write_hosts && !names->nodes)
		return err_set(
			why, ERR_USAGE, "--write-hosts %s: the graph has no hosts", o->write_hosts);
	err = graph_format_named(o->to)->save(g, path, why);
	if (!err && o->write_urls)
		err = write_names(names, names_url, o->write_urls, why);
	if (!err && o->write_hosts)
		err = write_names(names, names_host, o->write_hosts, why);
	if (!err)
		log_detail("wrote %u nodes, %llu arcs to '%s'", g->nodes,
			(unsigned long long)g->arcs, path);
	return err;
}

int target_write_ids(const char *path, const struct graph *from, const uint32_t *id, uint32_t n,
	struct err_note *why)
{
	struct output *out;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	for (uint32_t i = 0; i < n; i++)
		output_number(out, graph_label(from, id ? id[i] : i), '\n');
	return output_close(out, why);
}
