#include "traps/forms.h"
#include "parser/shape.h"

#define WEIGHT 4 /* of a page that is another */

struct known {
	uint64_t key;
};

struct drawn {
	uint64_t key;
	uint32_t content;
};

/* Where drawn parts stand. */
struct place {
	uint64_t key;
	uint32_t score;
	uint32_t is_learnt;
};

void forms_init(struct forms *f, int is_on)
{
	*f = (struct forms){.is_on = is_on};
	map_init(&f->known, sizeof(struct known));
	map_init(&f->drawn, sizeof(struct drawn));
	map_init(&f->places, sizeof(struct place));
}

void forms_release(struct forms *f)
{
	map_release(&f->known);
	map_release(&f->drawn);
	map_release(&f->places);
}

void forms_seen(struct forms *f, const struct url *u)
{
	const uint64_t form = f->is_on ? shape_form(u) : 0;

	if (form)
		map_at(&f->known, form);
}

void forms_came(struct forms *f, const struct url *u, uint32_t content)
{
	uint64_t key;
	const uint64_t form = f->is_on ? shape_drawn(u, &key) : 0;

	if (!form)
		return;
	const size_t known = f->drawn.used;
	struct drawn *drawn = map_at(&f->drawn, form);
	if (f->drawn.used > known) {
		drawn->content = content;
		return;
	}
	struct place *place = map_at(&f->places, key);
	if (drawn->content == content)
		place->score++;
	else
		place->score -= place->score < WEIGHT ? place->score : WEIGHT;
	if (place->score >= FORMS_LEARNT && !place->is_learnt) {
		place->is_learnt = 1;
		f->learnt++;
	}
}

int forms_has(const struct forms *f, const struct url *u)
{
	const uint64_t form = f->is_on ? shape_form(u) : 0;

	return (form && map_find(&f->known, form)) || forms_came_before(f, u);
}

int forms_came_before(const struct forms *f, const struct url *u)
{
	uint64_t key;
	const uint64_t form = f->learnt ? shape_drawn(u, &key) : 0;
	const struct place *place = form ? map_find(&f->places, key) : NULL;

	return place && place->is_learnt && map_find(&f->drawn, form);
}
