#include "traps/sessions.h"
#include "parser/shape.h"

struct form {
	uint32_t key[2];
	uint32_t first, content;
	uint32_t pages;
};

void sessions_init(struct sessions *s)
{
	map_init_paged(&s->forms, sizeof(struct form));
}

void sessions_release(struct sessions *s)
{
	map_release(&s->forms);
}

/* Compares a URL, by the hash of its form and the place of its drawn parts, with the crawled pages. */
static struct sessions_match match_of(const struct sessions *s, uint64_t key, uint64_t place)
{
	const struct form *form = key ? map_find(&s->forms, key) : NULL, *proof = key ? map_find(&s->forms, ~place) : NULL;

	return (struct sessions_match){
		.is_known = form != NULL,
		.place = place,
		.first = form ? form->first : 0,
		.content = form ? form->content : 0,
		.is_proved = proof && proof->pages,
		.is_again = form && form->pages == 1 && form->content == form->first,
	};
}

struct sessions_match sessions_find(const struct sessions *s, const struct url *u)
{
	uint64_t place = 0;
	const uint64_t key = shape_drawn(u, &place);

	return match_of(s, key, place);
}

void sessions_proved(struct sessions *s, uint64_t place, int is_proved)
{
	struct form *proof = is_proved ? map_at(&s->forms, ~place) : map_find(&s->forms, ~place);

	if (proof)
		proof->pages = (uint32_t)is_proved;
}

struct sessions_match sessions_add(struct sessions *s, const struct url *u, uint32_t id, uint32_t content)
{
	uint64_t place = 0;
	const uint64_t key = shape_drawn(u, &place);
	const struct sessions_match match = match_of(s, key, place);

	if (!key)
		return match;
	struct form *form = map_at(&s->forms, key);
	if (!match.is_known) {
		form->first = id;
		form->content = content;
	}
	form->pages++;
	return match;
}
