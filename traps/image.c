/* The image of the traps: everything that they have learned, which are maps and two arrays. */
#include "traps/traps_internal.h"

static void limits_image(struct limits *l, struct image *im)
{
	image_map(im, &l->forms_known);
	image_map(im, &l->hosts_known);
	image_map(im, &l->domains);
}

static void duplicates_image(struct duplicates *d, struct image *im)
{
	image_map(im, &d->contents);
	image_map(im, &d->counts);
	image_map(im, &d->shared);
	image_map(im, &d->shapes);
}

void traps_image(struct traps *t, struct image *im)
{
	limits_image(&t->limits, im);
	duplicates_image(&t->duplicates, im);
	image_map(im, &t->mirrors.places);
	image_map(im, &t->sessions.forms);
	places_image(&t->places, im);
	image_map(im, &t->paths);
	image_map(im, &t->led);
	image_bytes(im, &t->has_sessions, sizeof t->has_sessions);
}
