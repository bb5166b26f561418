#include "base/buf.h"
#include "base/mem.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

int policy_find(const char *spec, const struct policy **out, struct err_note *why)
{
	const char *near;

	*out = NULL;
	if (strpbrk(spec, ",:"))
		return policy_chain(spec, out, why);
	if (strchr(spec, '/'))
		return policy_load(spec, out, why);
	*out = policy_named(spec);
	if (*out)
		return 0;
	near = policy_nearest(spec);
	size_t n = strlen(spec);
	if (n > 3 && strcmp(spec + n - 3, ".so") == 0)
		return err_set(why, ERR_USAGE, "there is no policy '%s'; a file is named with its folder: './%s'", spec, spec);
	if (near)
		return err_set(why, ERR_USAGE, "there is no policy '%s'; the nearest is '%s'", spec, near);
	return err_set(why, ERR_USAGE, "there is no policy '%s'; see 'lycosa list policies'", spec);
}

int policy_spec_has_file(const char *spec)
{
	return strchr(spec, '/') != NULL;
}

/* Returns the length of the name in an element "name" or "name:pages" of a chain. */
static size_t name_length(const char *part, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (part[i] == ':')
			return i;
	return n;
}

char *policy_spec_absolute(const char *spec)
{
	struct buf out = BUF_EMPTY;

	for (;;) {
		size_t n = strcspn(spec, ","), length = name_length(spec, n);
		char *name = mem_part(spec, length);
		char *path = strchr(name, '/') ? realpath(name, NULL) : NULL;
		buf_text(&out, path ? path : name);
		buf_add(&out, spec + length, n - length);
		free(path);
		free(name);
		if (!spec[n])
			break;
		buf_byte(&out, ',');
		spec += n + 1;
	}
	return buf_take(&out);
}

size_t policy_spec_length(const char *list)
{
	size_t n = 0;

	for (;;) {
		size_t part = strcspn(list + n, ",");
		int goes_on = name_length(list + n, part) < part; /* "bfs:10" is followed by another element */
		n += part;
		if (!list[n] || !goes_on)
			return n;
		n++;
	}
}
