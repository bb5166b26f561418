#include "cli/lab/comma_list.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

char *comma_list_trimmed(const char *text, size_t n)
{
	while (n && ascii_is_space(*text)) {
		text++;
		n--;
	}
	while (n && ascii_is_space(text[n - 1]))
		n--;
	char *copy = mem_new(n + 1, 1);
	memcpy(copy, text, n);
	copy[n] = 0;
	return copy;
}

char **comma_list_cut(const char *text, size_t *n)
{
	char **part = NULL;
	size_t room = 0;

	*n = 0;
	for (;;) {
		const size_t length = strcspn(text, ",");
		part = mem_grow(part, &room, *n + 2, sizeof *part);
		part[(*n)++] = comma_list_trimmed(text, length);
		part[*n] = NULL;
		if (!text[length])
			return part;
		text += length + 1;
	}
}

void comma_list_free(char **part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(part[i]);
	free(part);
}
