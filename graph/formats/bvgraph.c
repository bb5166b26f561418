#include "graph/formats/bvgraph.h"
#include "graph/formats/bvloading.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of bits by which a file may be longer than the rows, since writers pad the last byte or word. */
#define SPARE_BITS 192

static int ends_in(const char *path, const char *tail)
{
	const size_t n = strlen(path), k = strlen(tail);

	return n > k && strcmp(path + n - k, tail) == 0;
}

char *bvgraph_path(const char *path, const char *tail)
{
	size_t n = strlen(path);

	if (ends_in(path, ".graph"))
		n -= strlen(".graph");
	else if (ends_in(path, ".properties"))
		n -= strlen(".properties");
	char *result = mem_new(n + strlen(tail) + 1, 1);
	memcpy(result, path, n);
	strcpy(result + n, tail);
	return result;
}

static int is_there(const char *path, const char *tail)
{
	char *whole = bvgraph_path(path, tail);
	const int there = access(whole, F_OK) == 0;

	free(whole);
	return there;
}

int bvgraph_detect(const char *path)
{
	if (ends_in(path, ".graph") || ends_in(path, ".properties"))
		return access(path, F_OK) == 0;
	return is_there(path, ".graph");
}

void bvloading_rows(const struct bvloading *l, struct bvrows *r)
{
	*r = (struct bvrows){.p = &l->properties,
		.is_usual = bvrows_are_usual(&l->properties.codes),
		.most = l->properties.arcs,
		.offset = l->offset,
		.target = l->target,
		.room = l->room};
	r->in = (struct bits){l->bits.at, (uint64_t)l->bits.size * 8, 0};
}

int bvloading_damaged(const struct bvloading *l, const struct bvrows *r, const char *wrong, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "'%s' is damaged: node %u, bit %llu: %s", l->path, r->next, (unsigned long long)r->in.place,
		wrong);
}

int bvloading_check_end(const struct bvloading *l, uint64_t arcs, uint64_t place, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const uint64_t end = (uint64_t)l->bits.size * 8;

	if (arcs != p->arcs)
		return err_set(why, ERR_FORMAT, "'%s' has %llu arcs, but its .properties file says %llu", l->path,
			(unsigned long long)arcs, (unsigned long long)p->arcs);
	if (p->has_length ? place != p->length : end - place >= SPARE_BITS)
		return err_set(why, ERR_FORMAT,
			"'%s': the last row ends at bit %llu of %llu; its .properties file is of "
			"another graph, or cut short",
			l->path, (unsigned long long)place, (unsigned long long)(p->has_length ? p->length : end));
	return 0;
}

/* Reads the rows one after the other, without offsets. */
static int read_in_order(struct bvloading *l, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const char *wrong = NULL;
	struct bvrows r;
	uint64_t need;

	bvloading_rows(l, &r);
	while (!wrong && r.next < p->nodes) {
		wrong = bvrows_read(&r, (uint32_t)p->nodes, &need);
		if (need) {
			r.target = l->target = mem_grow(l->target, &l->room, need, sizeof *l->target);
			r.room = l->room;
		}
	}
	free(r.spare);
	if (wrong)
		return bvloading_damaged(l, &r, wrong, why);
	l->offset[p->nodes] = r.done;
	return bvloading_check_end(l, r.done, r.in.place, why);
}

/* Checks the announced sizes against the file's, before memory is allocated for them. */
int bvloading_check_size(const struct bvloading *l, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const uint64_t bytes = l->bits.size;

	if (p->nodes > bytes * 8)
		return err_set(why, ERR_FORMAT, "'%s' is damaged: %llu nodes cannot be in %llu bytes", l->path,
			(unsigned long long)p->nodes, (unsigned long long)bytes);
	if (p->arcs > ((uint64_t)1 << 24) + bytes * 4096)
		return err_set(why, ERR_TOO_BIG, "'%s': %llu arcs are more than is credible of %llu bytes", l->path,
			(unsigned long long)p->arcs, (unsigned long long)bytes);
	return 0;
}

/* Decodes the graph into memory, in parallel where the offsets allow it, or onto the disk if it needs more memory than is
 * allowed. */
static int read_graph(struct bvloading *l, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	int err = bvloading_check_size(l, why);

	if (err)
		return err;
	if (load->space.memory && p->arcs > load->space.memory / sizeof *l->target)
		return bvloading_to_disk(l, &load->space, g, why);
	const uint64_t usual = 16 * (uint64_t)l->bits.size; /* half a bit an arc */
	l->room = (p->arcs < usual ? p->arcs : usual) + 16;
	l->target = mem_new(l->room, sizeof *l->target);
	l->offset = mem_new((size_t)p->nodes + 1, sizeof *l->offset);
	mapping_prefer_large(l->target, l->room * sizeof *l->target);
	if (!bvloading_in_parallel(l, load->threads))
		err = read_in_order(l, why);
	if (err)
		return err;
	graph_take_rows(g, (uint32_t)p->nodes, l->offset, mem_resize(l->target, p->arcs, sizeof *l->target), GRAPH_ORDERED);
	l->offset = NULL;
	l->target = NULL;
	return 0;
}

int bvloading_open(struct bvloading *l, const char *path, struct err_note *why)
{
	char *properties = bvgraph_path(path, ".properties");
	int err = 0;

	*l = (struct bvloading){.path = bvgraph_path(path, ".graph")};
	if (access(l->path, F_OK) == 0 && access(properties, F_OK) != 0)
		err = err_set(why, ERR_FILE, "cannot open '%s': no .properties file beside it", l->path);
	else if (access(properties, F_OK) == 0 && access(l->path, F_OK) != 0)
		err = err_set(why, ERR_FILE, "cannot open '%s': no .graph file beside it", properties);
	if (!err)
		err = bvproperties_read(&l->properties, properties, why);
	if (!err)
		err = mapping_open(&l->bits, l->path, why);
	free(properties);
	if (err)
		bvloading_close(l);
	return err;
}

void bvloading_close(struct bvloading *l)
{
	mapping_close(&l->bits);
	free(l->target);
	free(l->offset);
	free(l->path);
	*l = (struct bvloading){0};
}

int bvgraph_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct bvloading l;

	*g = (struct graph){0};
	int err = bvloading_open(&l, path, why);
	if (err)
		return err;
	err = read_graph(&l, load, g, why);
	bvloading_close(&l);
	return err;
}

int bvgraph_has_offsets(const char *path)
{
	return is_there(path, ".offsets");
}
