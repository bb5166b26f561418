#include "traps/sessions.h"
#include "parser/shape.h"

struct form {
	uint64_t key;
	uint32_t first, content;
};

void sessions_init(struct sessions *s)
{
	map_init_paged(&s->forms, sizeof(struct form));
}

void sessions_release(struct sessions *s)
{
	map_release(&s->forms);
}

struct sessions_match sessions_find(const struct sessions *s, const struct url *u)
{
	struct sessions_match match = {0, 0, 0, 0};
	const uint64_t key = shape_drawn(u, &match.place);
	const struct form *form = key ? map_find(&s->forms, key) : NULL;

	if (form)
		match = (struct sessions_match){1, match.place, form->first, form->content};
	return match;
}

struct sessions_match sessions_add(struct sessions *s, const struct url *u, uint32_t id, uint32_t content)
{
	struct sessions_match match = {0, 0, 0, 0};
	const uint64_t key = shape_drawn(u, &match.place);

	if (!key)
		return match;
	const size_t known = s->forms.used;
	struct form *form = map_at(&s->forms, key);
	if (s->forms.used > known) {
		form->first = id;
		form->content = content;
		return match;
	}
	return (struct sessions_match){1, match.place, form->first, form->content};
}
