/* One value as results show it: a cell of a table, or what a name stands for. A row is written as a list of such values:
 *
 *	RESULTS_CELLS(&r, cell_text("opic"), cell_count(7), cell_real(0.71));
 *
 * (cli/results.h, lab/report/study.h, cli/export/export_table.h). */
#ifndef BASE_CELL_H
#define BASE_CELL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum cell_kind { CELL_NONE, CELL_TEXT, CELL_COUNT, CELL_REAL, CELL_INTERVAL, CELL_HASH };

struct cell {
	enum cell_kind kind;
	int is_best;      /* of its row or column: set in bold */
	const char *text; /* borrowed */
	size_t n;         /* bytes of the text, which may hold any; a zero byte follows if cell_text() made the cell */
	uint64_t count;   /* or the hash */
	double real;      /* NAN: unknown */
	double half;      /* of an interval, whose middle is `real`: half of its width; NAN where nothing is known of it */
};

/* A text; NULL is an empty one. */
static inline struct cell cell_text(const char *text)
{
	text = text ? text : "";
	return (struct cell){.kind = CELL_TEXT, .text = text, .n = strlen(text)};
}

/* A text of n bytes; an empty one, or NULL, is a missing value. */
static inline struct cell cell_bytes(const char *text, size_t n)
{
	return (struct cell){.kind = text && n ? CELL_TEXT : CELL_NONE, .text = text, .n = n};
}

/* A text; an empty one, or NULL, is a missing value. */
static inline struct cell cell_some(const char *text)
{
	return cell_bytes(text, text ? strlen(text) : 0);
}

static inline struct cell cell_count(uint64_t count)
{
	return (struct cell){.kind = CELL_COUNT, .count = count};
}

static inline struct cell cell_real(double real)
{
	return (struct cell){.kind = CELL_REAL, .real = real};
}

/* A value that is missing. */
static inline struct cell cell_none(void)
{
	return (struct cell){.kind = CELL_NONE};
}

/* A 64-bit hash, which is shown as 16 hexadecimal digits. */
static inline struct cell cell_hash(uint64_t hash)
{
	return (struct cell){.kind = CELL_HASH, .count = hash};
}

/* A number with a name; a list ends with a name that is NULL. */
struct named_count {
	const char *name;
	uint64_t n;
};

#endif
