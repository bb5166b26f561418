#include "cli/graph/graph_target.h"
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

#define TARGET(field) offsetof(struct target_options, field)
const struct flag target_flags[] = {
	{"to", 0, FLAG_TEXT, TARGET(to), "FORMAT", .help = "what to write; see 'lycosa list formats'", .words = format_word},
	{"write-urls", 0, FLAG_TEXT, TARGET(write_urls), "FILE", .help = "write the URL of node i on line i, too",
		.file = FLAG_WRITES},
	{"write-hosts", 0, FLAG_TEXT, TARGET(write_hosts), "FILE", .help = "write the host of node i on line i, too",
		.file = FLAG_WRITES},
	MEMORY_ROW(TARGET(memory)),
	{.name = NULL},
};

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

/* Says whether the labels need no file of ids: they are i or i + 1 for node i. */
static int are_labels_told(const struct graph *g)
{
	return !g->label || !g->nodes || (g->label[0] <= 1 && g->label[g->nodes - 1] - g->label[0] == g->nodes - 1);
}

/* Writes the name of each node on a line; after its label, if `g` is given: lines that nodes with gaps between their labels need to
 * be read with their names again. */
static int write_names(const struct names *names, const char *(*name)(const struct names *, uint32_t), const struct graph *g,
	const char *path, struct err_note *why)
{
	struct output *out;

	TRY(output_open(&out, path, why));
	for (uint32_t i = 0; i < names->nodes; i++) {
		if (g)
			output_number(out, graph_label(g, i), ' ');
		output_text(out, name(names, i));
		output_text(out, "\n");
	}
	return output_close(out, why);
}

static uint32_t count_isolated(const struct graph *g)
{
	AUTO_FREE uint8_t *linked = mem_zero(g->nodes, 1);
	uint64_t passed = 0;
	uint32_t isolated = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			linked[u] = linked[g->target[a]] = 1;
		graph_pass(g, &passed, u);
	}
	for (uint32_t u = 0; u < g->nodes; u++)
		isolated += !linked[u];
	return isolated;
}

static void say_losses(const struct graph_format *f, const struct graph *g, const char *write_ids, const char *path)
{
	const uint32_t isolated = f->losses & LOSES_ISOLATED ? count_isolated(g) : 0;

	if (isolated)
		log_say("'%s' is without %u nodes that have no links: %s cannot hold them", path, isolated, f->name);
	if (f->losses & LOSES_LABELS && !write_ids && !are_labels_told(g))
		log_say("'%s' is without the ids of the nodes: %s numbers them anew; --write-ids "
			"FILE keeps them",
			path, f->name);
}

int target_write(const struct target_options *o, const struct graph *g, const struct names *names, const char *write_ids,
	const char *path, struct err_note *why)
{
	const struct graph_format *f = graph_format_named(o->to);
	const struct graph *labels = f->losses & LOSES_LABELS || are_labels_told(g) ? NULL : g;

	if (o->write_urls && (!names->nodes || !names->text))
		return err_set(why, ERR_USAGE, "--write-urls %s: the graph has no URLs", o->write_urls);
	if (o->write_hosts && !names->nodes)
		return err_set(why, ERR_USAGE, "--write-hosts %s: the graph has no hosts", o->write_hosts);
	TRY(f->save_urls && names->nodes && names->text ? f->save_urls(g, names, path, why) : f->save(g, path, why));
	say_losses(f, g, write_ids, path);
	if (o->write_urls)
		TRY(write_names(names, names_url, labels, o->write_urls, why));
	if (o->write_hosts)
		TRY(write_names(names, names_host, labels, o->write_hosts, why));
	log_detail("wrote %u nodes, %llu arcs to '%s'", g->nodes, (unsigned long long)g->arcs, path);
	return 0;
}

int target_write_ids(const char *path, const struct graph *from, const uint32_t *id, uint32_t n, struct err_note *why)
{
	struct output *out;

	TRY(output_open(&out, path, why));
	for (uint32_t i = 0; i < n; i++)
		output_number(out, graph_label(from, id ? id[i] : i), '\n');
	return output_close(out, why);
}

int registers_of(const struct command *c, uint64_t *registers, struct err_note *why)
{
	const uint64_t m = *registers;

	if (!flags_given(c->flags, "registers"))
		*registers = HARMONIC_BY_SIZE;
	else if (m != HARMONIC_EXACT && (m < 16 || (m & (m - 1))))
		return err_set(why, ERR_USAGE, "--registers %llu: a power of two from 16 to %d, or 0 for exact values",
			(unsigned long long)m, HARMONIC_MOST);
	return 0;
}
