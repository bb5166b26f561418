/* First the positions of all bytes of a window of text that are no digits are listed. Then a plain line is known by three
 * positions of the list: the end of the line before, the byte between the two ids, and its own end; so lines can be parsed
 * without dependence on one another. Any line other than two ids of at most eight digits is parsed byte by byte. */
#include "graph/formats/arctext.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/lanes.h"
#include "base/mem.h"
#include "graph/formats/arcs.h"
#include "graph/formats/format.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW      4096
#define CHUNK       ((size_t)1 << 16) /* of a plain file, at a time */
#define EIGHT(byte) (0x0101010101010101u * (byte))

static uint64_t load_word(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
	return le64toh(word);
}

/* Returns a bit for each of the 64 bytes: 1 if the byte is no digit. */
static uint64_t not_digits(const char *p)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < 64; i += LANES)
		result |= lanes_bits((lanes)((lanes)(lanes_load(p + i) - '0') > 9)) << i;
	return result;
}

static unsigned bits_of(uint64_t x)
{
	x -= x >> 1 & EIGHT(0x55u);
	x = (x & EIGHT(0x33u)) + (x >> 2 & EIGHT(0x33u));
	return (unsigned)(((x + (x >> 4)) & EIGHT(0x0fu)) * EIGHT(1u) >> 56);
}

/* Lists the positions of the bytes that are no digits among `n` bytes, a multiple of 64. Returns their number. */
static size_t find_places(const char *text, size_t n, uint32_t *place)
{
	const uint64_t top = (uint64_t)1 << 63;

	size_t count = 0;
	for (uint32_t base = 0; base < n; base += 64) {
		uint64_t left = not_digits(text + base);
		/* eight at a time, some of them too many: fewer mispredicted branches */
		uint32_t *at = place + count;
		count += bits_of(left);
		for (; left; at += 8) {
#pragma GCC unroll 8
			for (size_t i = 0; i < 8; i++) {
				at[i] = base + (unsigned)__builtin_ctzll(left | top);
				left &= left - 1;
			}
		}
	}
	return count;
}

/* Returns the number whose 1 to 8 digits end before `end`; the eight bytes before `end` are readable. */
static uint32_t short_number(const char *end, size_t digits)
{
	uint64_t x = (load_word(end - 8) ^ EIGHT('0')) & ~(uint64_t)0 << (64 - 8 * digits);

	x = x * 10 + (x >> 8); /* every second byte: two digits */
	x &= 0x00ff00ff00ff00ffu;
	x = x * 100 + (x >> 16); /* four */
	x &= 0x0000ffff0000ffffu;
	return (uint32_t)((x & UINT32_MAX) * 10000 + (x >> 32));
}

static int is_between(char byte)
{
	return byte == '\t' || byte == ' ' || byte == ',';
}

static int is_id_length(size_t n)
{
	return n - 1 < 8;
}

/* Returns the index in place[] of the end of a line whose second id ends at place[i] with a byte other than LF, or `places` if
 * the end is not in the list or take_line() has to parse the line. Counts the line in t->longer if text follows the ids. */
static size_t line_end(struct arctext *t, const char *text, const uint32_t *place, size_t places, size_t i)
{
	const char byte = text[place[i]];

	if (byte == '\r' && i + 1 < places && text[place[i] + 1] == '\n')
		return i + 1;
	if (!is_between(byte))
		return places;
	const char *behind = text + place[i] + 1;
	while (i < places && text[place[i]] != '\n')
		i++;
	if (i < places) {
		while (is_between(*behind))
			behind++;
		t->longer += *behind != '\r' && *behind != '\n';
	}
	return i;
}

/* Takes the plain lines of a window, from *begin (its place in the window) up to the first line
 * that is not plain, or is not all there. */
static void take_plain(struct arctext *t, const char *text, size_t *begin, const uint32_t *place, size_t places, size_t *next)
{
	struct arcs *a = t->arcs;
	uint32_t *const from = a->from + a->count, *const to = a->to + a->count;
	size_t at = *begin, i = *next, lines = 0;

	while (i + 1 < places) {
		const size_t middle = place[i], end = place[i + 1];
		size_t last = i + 1;
		if (!is_id_length(middle - at) || !is_id_length(end - middle - 1) || !is_between(text[middle]))
			break;
		if (text[end] != '\n' && (last = line_end(t, text, place, places, last)) == places)
			break;
		from[lines] = short_number(text + middle, middle - at);
		to[lines++] = short_number(text + end, end - middle - 1);
		at = place[last] + 1;
		i = last + 1;
	}
	t->number += lines;
	arcs_take(a, lines);
	*begin = at;
	*next = i;
}

int arctext_number(const char **at, const char *end, uint64_t *number)
{
	const char *p = *at;
	uint64_t value = 0;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	const char *digits = p;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
			return -1;
	if (p == digits)
		return -1;
	*at = p;
	*number = value;
	return 0;
}

/* Parses an id, and moves *at behind it and the blanks or the comma after it. Returns 0 or -1. */
static int take_id(const char **at, const char *end, uint64_t *id)
{
	const char *p = *at;

	if (arctext_number(&p, end, id))
		return -1;
	if (p < end && !is_between(*p))
		return -1;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p < end && *p == ',')
		p++;
	*at = p;
	return 0;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static int bad_id(const struct arctext *t, const char *p, const char *end, struct err_note *why)
{
	const char *stop;

	p = skip_blanks(p, end);
	if (p == end)
		return err_set(why, ERR_FORMAT, "%s:%llu: one node id, where an arc has two", t->path,
			(unsigned long long)t->number);
	for (stop = p; stop < end && !is_between(*stop) && stop - p < 60; stop++)
		;
	return err_set(why, ERR_FORMAT, "%s:%llu: '%.*s' is no node id", t->path, (unsigned long long)t->number, (int)(stop - p),
		p);
}

/* Parses a line of any kind, without its LF. */
static int take_line(struct arctext *t, const char *p, const char *end, struct err_note *why)
{
	uint64_t from, to;

	t->number++;
	if (t->number == 1 && end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	if (p < end && end[-1] == '\r')
		end--;
	p = skip_blanks(p, end);
	if (p == end)
		return 0;
	if (*p == '#' || *p == '%')
		return t->comment ? t->comment(t->ctx, t, p, (size_t)(end - p), why) : 0;
	if (!t->begun) {
		t->begun = 1;
		const int taken = t->first ? t->first(t->ctx, t, p, (size_t)(end - p), why) : 0;
		if (taken)
			return taken < 0 ? taken : 0;
	}
	if (take_id(&p, end, &from) || take_id(&p, end, &to))
		return bad_id(t, p, end, why);
	t->longer += skip_blanks(p, end) < end;
	arcs_add(t->arcs, from, to);
	return 0;
}

static int too_long(const struct arctext *t, struct err_note *why)
{
	return err_set(why, ERR_TOO_BIG, "%s:%llu: a line of more than %u bytes", t->path, (unsigned long long)t->number + 1,
		INPUT_LINE_MAX);
}

/* Parses the line at *at and moves *at behind it. If no LF is before `end`, does nothing and returns 0. */
static int take_next(struct arctext *t, const char **at, const char *end, struct err_note *why)
{
	const char *p = *at, *lf = memchr(p, '\n', (size_t)(end - p));

	if (!lf)
		return 0;
	*at = lf + 1;
	return take_line(t, p, lf, why);
}

/* Parses the lines that end within a window of `n` bytes, a multiple of 64, and perhaps the line after them. */
static int take_window(struct arctext *t, const char **p, size_t n, const char *end, struct err_note *why)
{
	uint32_t place[WINDOW + 8];
	const size_t places = find_places(*p, n, place);
	const char *const text = *p;
	size_t next = 0;

	for (;;) {
		size_t at = (size_t)(*p - text);
		if (arcs_room(t->arcs, WINDOW / 4))
			take_plain(t, text, &at, place, places, &next);
		*p = text + at;
		if (next + 1 >= places)
			return 0;
		const int err = take_next(t, p, end, why);
		if (err || *p == text + at)
			return err;
		while (next < places && text + place[next] < *p)
			next++;
	}
}

/* Parses the complete lines of a text, and moves *p behind them. The `back` bytes before *p are readable, which the fast parser
 * needs. */
static int take_lines(struct arctext *t, const char **p, const char *end, size_t back, struct err_note *why)
{
	const char *const begin = *p, *last = NULL;
	int err = 0;

	while (!err && *p < end && *p != last) {
		const size_t n = (size_t)(end - *p) / 64 * 64;
		last = *p;
		if (t->begun && n && back + (size_t)(last - begin) >= 8)
			err = take_window(t, p, n < WINDOW ? n : WINDOW, end, why);
		if (!err && *p == last)
			err = take_next(t, p, end, why);
		if (!err)
			err = arcs_check(t->arcs, t->path, why);
	}
	return err;
}

/* Parses a chunk of the file. *cut has the beginning of a line that the end of the last chunk has cut, and gets that of this
 * chunk. */
static int take_chunk(struct arctext *t, const char *p, size_t n, struct buf *cut, struct err_note *why)
{
	const char *const begin = p, *const end = p + n;
	int err = 0;

	if (cut->used) { /* the line that the last chunk's end cut */
		const char *lf = memchr(p, '\n', n);
		p = lf ? lf + 1 : end;
		buf_add(cut, begin, (size_t)((lf ? lf : end) - begin));
		if (cut->used > INPUT_LINE_MAX)
			return too_long(t, why);
		if (!lf)
			return 0;
		err = take_line(t, cut->at, cut->at + cut->used, why);
		buf_clear(cut);
	}
	if (!err)
		err = take_lines(t, &p, end, (size_t)(p - begin), why);
	if (!err && p < end)
		buf_add(cut, p, (size_t)(end - p));
	return err ? err : cut->used > INPUT_LINE_MAX ? too_long(t, why) : 0;
}

static int finish(struct arctext *t, struct buf *cut, int err, struct err_note *why)
{
	t->unended = cut->used > 0;
	if (!err && cut->used)
		err = take_line(t, cut->at, cut->at + cut->used, why);
	buf_release(cut);
	return err;
}

static int read_input(struct arctext *t, struct input *in, struct err_note *why)
{
	struct buf cut = BUF_EMPTY;
	const char *chunk;
	size_t n;
	int got, err = 0;

	while (!err && (got = input_chunk(in, &chunk, &n, why)) != 0)
		err = got < 0 ? got : take_chunk(t, chunk, n, &cut, why);
	return finish(t, &cut, err, why);
}

/* Reads a plain file by read() in small chunks, which are parsed while they are in the cache; pages of a mapped file would not
 * be. */
static int read_file(struct arctext *t, int fd, struct err_note *why)
{
	struct buf cut = BUF_EMPTY;
	char *chunk = mem_new(CHUNK, 1);
	ssize_t got;
	int err = 0;

	while (!err && (got = read(fd, chunk, CHUNK)) != 0) {
		if (got < 0)
			err = err_set(why, ERR_FILE, "cannot read '%s': %s", t->path, ascii_error(errno));
		else
			err = take_chunk(t, chunk, (size_t)got, &cut, why);
	}
	err = finish(t, &cut, err, why);
	free(chunk);
	return err;
}

/* Opens a regular file that is not packed, by its first bytes, and sets the position to its beginning. Returns the descriptor, or
 * -1 for any other file. */
static int open_plain(const char *path, uint64_t *size)
{
	struct stat st;
	char first[16];

	if (strcmp(path, "-") == 0 || stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	*size = (uint64_t)st.st_size;
	const ssize_t n = pread(fd, first, sizeof first, 0);
	if (n > 0 && memchr("0123456789#%", *first, 12) && !memchr(first, 0, (size_t)n))
		return fd;
	close(fd);
	return -1;
}

int arctext_read(struct arctext *t, const char *path, struct err_note *why)
{
	struct input *in;
	uint64_t size;

	t->path = strcmp(path, "-") == 0 ? "stdin" : path;
	t->number = 0;
	t->begun = 0;
	t->longer = 0;
	const int fd = open_plain(path, &size);
	if (fd >= 0) {
		arcs_expect(t->arcs, size);
		const int err = read_file(t, fd, why);
		close(fd);
		return err;
	}
	int err = input_open(&in, path, why);
	if (err)
		return err;
	err = read_input(t, in, why);
	input_close(in);
	return err;
}

const char *lists_skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* Finds the next line that is neither empty nor a comment. Returns 1, 0 at the end, or an error. */
static int next_line(struct input *in, const char **begin, const char **end, struct err_note *why)
{
	char *line;
	size_t n;
	int got;

	while ((got = input_line(in, &line, &n, why)) > 0) {
		*end = line + n;
		*begin = lists_skip_blanks(line, *end);
		if (*begin < *end && **begin != '#' && **begin != '%')
			return 1;
	}
	return got;
}

int lists_detect(const char *path, lists_take *take, void *ctx)
{
	struct arcs a = ARCS_EMPTY;
	struct input *in;
	const char *line, *end;

	if (input_open(&in, path, NULL))
		return 0;
	const int is = next_line(in, &line, &end, NULL) > 0 && !take(ctx, &a, line, end);
	arcs_release(&a);
	input_close(in);
	return is;
}

/* Hands each line to take() until one is wrong, which is reported with its number and the complaint. */
static int read_lines(struct arcs *a, struct input *in, lists_take *take, void *ctx, const char *complaint, struct err_note *why)
{
	const char *line, *end;
	int got, err = 0;

	while (!err && (got = next_line(in, &line, &end, why)) != 0) {
		if (got < 0)
			return got;
		const char *wrong = take(ctx, a, line, end);
		if (wrong)
			return err_set(why, ERR_FORMAT, "%s:%llu: '%.60s' %s", input_path(in),
				(unsigned long long)input_line_number(in), wrong, complaint);
		err = arcs_check(a, input_path(in), why);
	}
	return err;
}

int lists_read(const char *path, struct arcs *a, lists_take *take, void *ctx, const char *complaint, struct err_note *why)
{
	struct input *in;
	int err = input_open(&in, path, why);

	if (err)
		return err;
	err = read_lines(a, in, take, ctx, complaint, why);
	input_close(in);
	return err;
}

int lists_load(const char *path, const struct graph_load *load, lists_take *take, void *ctx, const char *complaint, struct graph *g,
	struct err_note *why)
{
	const struct arcs_nodes nodes = {.hint = load->nodes_hint};
	struct arcs a = ARCS_EMPTY;

	*g = (struct graph){0};
	arcs_bound(&a, &load->space);
	const int err = lists_read(path, &a, take, ctx, complaint, why);
	if (!err)
		return arcs_to_graph(&a, &nodes, path, g, why);
	arcs_release(&a);
	return err;
}
