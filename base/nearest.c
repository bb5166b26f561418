#include "base/nearest.h"
#include "base/ascii.h"

#include <string.h>

#define NAME_MAX_LENGTH 64

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Returns the distance of optimal string alignment, computed over three rows; capital letters of `a` count as small ones. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][NAME_MAX_LENGTH + 1];
	size_t n = strnlen(a, NAME_MAX_LENGTH), m = strnlen(b, NAME_MAX_LENGTH);

	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + (ascii_lower(a[i - 1]) != b[j - 1]));
			if (i > 1 && j > 1 && ascii_lower(a[i - 1]) == b[j - 2] && ascii_lower(a[i - 2]) == b[j - 1] &&
				before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
	}
	return rows[n % 3][m];
}

void nearest_try(const char *wanted, const char *name, const char **best, size_t *distance)
{
	size_t d = edit_distance(wanted, name);

	/* a part behind a hyphen counts, too: pagernk for batch-pagerank */
	for (const char *part = strchr(name, '-'); part; part = strchr(part + 1, '-')) {
		const size_t of_part = 1 + edit_distance(wanted, part + 1);
		d = of_part < d ? of_part : d;
	}
	/* a prefix counts as near: --max for --max-pages */
	if (strlen(wanted) >= 3 && strncmp(wanted, name, strlen(wanted)) == 0 && d > 1)
		d = 1;
	if (!*best || d < *distance) {
		*best = name;
		*distance = d;
	}
}

int nearest_is_near(const char *wanted, size_t distance)
{
	return distance <= 1 + strlen(wanted) / 4;
}
