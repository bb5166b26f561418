#include "graph/formats/bvproperties.h"
#include "base/ascii.h"
#include "graph/graph.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"

#include <stdlib.h>

#define FILE_MAX ((size_t)1 << 20)

const struct bvproperties bvproperties_default = {
	.window = 7,
	.min_interval = 4,
	.max_chain = 3,
	.codes = {BITS_GAMMA, BITS_UNARY, BITS_GAMMA, BITS_GAMMA, BITS_GAMMA, BITS_ZETA, BITS_GAMMA, 3},
};

/* Keys that must not contradict themselves. */
static const char *const matters[] = {"nodes", "arcs", "windowsize", "maxrefcount", "minintervallength", "zetak", "version",
	"endianness", "graphclass", "compressionflags", "length"};
#define MATTERS (sizeof matters / sizeof *matters)

struct reading {
	struct bvproperties *p;
	const char *path;
	char *seen[MATTERS]; /* the value of each so far */
	int has_nodes, has_arcs;
	int has_block_count; /* a code for it was named */
	int is_rust;         /* the file was written by webgraph-rs, which names one code for both the blocks and their number */
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

/* Appends the character that an escape means; p is after the backslash. Returns the position after the escape. */
static const char *take_escape(const char *p, const char *end, struct buf *out)
{
	static const char from[] = "tnrf", to[] = "\t\n\r\f";
	const char *at;
	char digits[5] = "";

	if (p == end)
		return p;
	if (*p == 'u' && end - p >= 5 && ascii_is_hex(p[1]) && ascii_is_hex(p[2]) && ascii_is_hex(p[3]) && ascii_is_hex(p[4])) {
		memcpy(digits, p + 1, 4);
		const unsigned long c = strtoul(digits, NULL, 16);
		buf_byte(out, c < 0x80 && c ? (int)c : '?'); /* no key of ours has others */
		return p + 5;
	}
	at = *p ? strchr(from, *p) : NULL;
	buf_byte(out, at ? to[at - from] : *p ? *p : '?');
	return p + 1;
}

/* Returns the end of a logical line. A line that ends in an odd number of backslashes continues on the next line. */
static const char *logical_end(const char *p, const char *end)
{
	int is_escaped = 0;

	for (; p < end; p++) {
		if ((*p == '\n' || *p == '\r') && !is_escaped)
			break;
		if (is_escaped && *p == '\r' && p + 1 < end && p[1] == '\n')
			p++;
		is_escaped = *p == '\\' && !is_escaped;
	}
	return p;
}

/* Reads a key (`is_key` 1), which ends at '=', ':' or a blank, or a value, which ends at the end of the line. Returns the position
 * after it. */
static const char *take_text(const char *p, const char *end, struct buf *out, int is_key)
{
	buf_clear(out);
	buf_text(out, "");
	while (p < end && !(is_key && (*p == '=' || *p == ':' || is_blank(*p)))) {
		if (*p != '\\') {
			buf_byte(out, *p ? *p : '?');
			p++;
			continue;
		}
		p++;
		if (p < end && (*p == '\n' || *p == '\r')) { /* the line goes on */
			while (p < end && (*p == '\n' || *p == '\r' || is_blank(*p)))
				p++;
			continue;
		}
		p = take_escape(p, end, out);
	}
	return p;
}

static int take_count(const struct reading *r, const char *key, const char *value, uint64_t least, uint64_t most, uint64_t *out,
	struct err_note *why)
{
	uint64_t n;

	if (num_count(value, UINT64_MAX, &n) || n < least)
		return err_set(why, ERR_FORMAT, "'%s': %s is '%.40s', which is no valid number", r->path, key, value);
	if (n > most)
		return err_set(why, ERR_TOO_BIG, "'%s': %s is %.40s; the most is %llu", r->path, key, value,
			(unsigned long long)most);
	*out = n;
	return 0;
}

/* Reads one compression flag, of the form COMPONENT_CODE. */
static int take_flag(struct reading *r, const char *flag, struct err_note *why)
{
	struct bvcodes *c = &r->p->codes;
	const struct {
		const char *name;
		enum bits_code *code;
	} component[] = {{"OUTDEGREES_", &c->outdegree}, {"REFERENCES_", &c->reference}, {"BLOCK_COUNT_", &c->block_count},
		{"BLOCKS_", &c->block}, {"INTERVALS_", &c->interval}, {"RESIDUALS_", &c->residual}, {"OFFSETS_", &c->offset}};
	static const char *const code[] = {[BITS_UNARY] = "UNARY",
		[BITS_GAMMA] = "GAMMA",
		[BITS_DELTA] = "DELTA",
		[BITS_ZETA] = "ZETA",
		[BITS_NIBBLE] = "NIBBLE"};

	for (size_t i = 0; i < sizeof component / sizeof *component; i++) {
		const size_t n = strlen(component[i].name);
		if (strncmp(flag, component[i].name, n) != 0)
			continue;
		for (unsigned k = 0; k < sizeof code / sizeof *code; k++) {
			if (strcmp(flag + n, code[k]) != 0)
				continue;
			*component[i].code = (enum bits_code)k;
			r->has_block_count |= component[i].code == &c->block_count;
			return 0;
		}
	}
	return err_set(why, ERR_FORMAT, "'%s': compression flag '%.40s' is not known", r->path, flag);
}

/* Takes compressionflags, a list of codes with '|' between them. */
static int take_flags(struct reading *r, char *value, struct err_note *why)
{
	int err = 0;

	for (char *flag = value, *next; flag && !err; flag = next) {
		next = strchr(flag, '|');
		if (next)
			*next++ = 0;
		while (is_blank(*flag))
			flag++;
		for (size_t n = strlen(flag); n && is_blank(flag[n - 1]); n--)
			flag[n - 1] = 0;
		if (*flag)
			err = take_flag(r, flag, why);
	}
	return err;
}

/* Takes a line of the file. Keys that do not change how the graph is decoded are skipped, and values that lycosa cannot decode are
 * refused.
 */
static int take_key(struct reading *r, const char *key, char *value, struct err_note *why)
{
	struct bvproperties *p = r->p;
	uint64_t n = 0;
	int err = 0;

	if (strcmp(key, "nodes") == 0) {
		err = take_count(r, key, value, 0, GRAPH_MAX_NODES, &p->nodes, why);
		r->has_nodes = 1;
	} else if (strcmp(key, "arcs") == 0) {
		err = take_count(r, key, value, 0, UINT64_MAX / 64, &p->arcs, why);
		r->has_arcs = 1;
	} else if (strcmp(key, "windowsize") == 0) {
		err = take_count(r, key, value, 0, UINT32_MAX, &p->window, why);
	} else if (strcmp(key, "maxrefcount") == 0) {
		if (strcmp(value, "-1") != 0) /* no limit */
			err = take_count(r, key, value, 0, UINT64_MAX, &p->max_chain, why);
	} else if (strcmp(key, "minintervallength") == 0) {
		err = take_count(r, key, value, 0, UINT32_MAX, &p->min_interval, why);
	} else if (strcmp(key, "length") == 0) {
		err = take_count(r, key, value, 0, UINT64_MAX, &p->length, why);
		p->has_length = 1;
	} else if (strcmp(key, "zetak") == 0) {
		err = take_count(r, key, value, 1, 16, &n, why);
		p->codes.zeta = err ? 3 : (unsigned)n;
	} else if (strcmp(key, "version") == 0) {
		if (strcmp(value, "0") != 0)
			err = err_set(why, ERR_FORMAT, "'%s': version '%.40s'; only 0 can be read", r->path, value);
	} else if (strcmp(key, "endianness") == 0) {
		r->is_rust = 1;
		if (strcmp(value, "big") != 0)
			err = err_set(why, ERR_FORMAT, "'%s': endianness '%.40s'; only big can be read", r->path, value);
	} else if (strcmp(key, "graphclass") == 0) {
		const size_t length = strlen(value), tail = strlen("BVGraph");
		if (length < tail || strcmp(value + length - tail, "BVGraph") != 0)
			err = err_set(why, ERR_FORMAT, "'%s': a graph of class '%.80s', not a BVGraph", r->path, value);
	} else if (strcmp(key, "compressionflags") == 0) {
		err = take_flags(r, value, why);
	}
	return err;
}

/* Returns ERR_FORMAT if a key of `matters` occurs again with another value. */
static int check_again(struct reading *r, const char *key, const char *value, struct err_note *why)
{
	for (size_t i = 0; i < MATTERS; i++) {
		if (strcmp(key, matters[i]) != 0)
			continue;
		if (!r->seen[i])
			r->seen[i] = mem_text(value);
		else if (strcmp(r->seen[i], value) != 0)
			return err_set(why, ERR_FORMAT, "'%s' contradicts itself: %s is '%.40s' and '%.40s'", r->path, key,
				r->seen[i], value);
	}
	return 0;
}

int bvproperties_parse(struct bvproperties *p, const char *path, const char *text, size_t n, struct err_note *why)
{
	struct reading r = {.p = p, .path = path};
	struct buf key = BUF_EMPTY, value = BUF_EMPTY;
	const char *at = text, *end = text + n;
	int err = 0;

	*p = bvproperties_default;
	while (!err && at < end) {
		while (at < end && (is_blank(*at) || *at == '\n' || *at == '\r'))
			at++;
		if (at < end && (*at == '#' || *at == '!')) {
			while (at < end && *at != '\n' && *at != '\r')
				at++;
			continue;
		}
		const char *stop = logical_end(at, end);
		at = take_text(at, stop, &key, 1);
		while (at < stop && is_blank(*at))
			at++;
		if (at < stop && (*at == '=' || *at == ':'))
			at++;
		while (at < stop && is_blank(*at))
			at++;
		take_text(at, stop, &value, 0);
		while (value.used && is_blank(value.at[value.used - 1]))
			value.at[--value.used] = 0;
		err = check_again(&r, key.at, value.at, why);
		if (!err)
			err = take_key(&r, key.at, value.at, why);
		at = stop;
	}
	buf_release(&key);
	buf_release(&value);
	for (size_t i = 0; i < MATTERS; i++)
		free(r.seen[i]);
	if (r.is_rust && !r.has_block_count)
		p->codes.block_count = p->codes.block;
	if (!err && (!r.has_nodes || !r.has_arcs))
		err = err_set(why, ERR_FORMAT, "'%s' does not say how many %s there are", path, r.has_nodes ? "arcs" : "nodes");
	return err;
}

int bvproperties_read(struct bvproperties *p, const char *path, struct err_note *why)
{
	char *text;
	size_t n;
	int err = input_all(path, FILE_MAX, &text, &n, why);

	if (err)
		return err;
	err = bvproperties_parse(p, path, text, n, why);
	free(text);
	return err;
}
