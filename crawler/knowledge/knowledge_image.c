#include "crawler/knowledge/knowledge.h"

/* Writes or reads the part of the image that follows the number of pages and the state of the scope. */
static void pages_image(struct knowledge *k, struct image *im)
{
	size_t n = k->n;

	k->page = image_paged(im, k->page, &n, &k->room, sizeof *k->page);
	k->n = (uint32_t)n;
	image_bytes(im, &k->aliases, sizeof k->aliases);
	image_map(im, &k->names);
}

void knowledge_save(struct knowledge *k, image_sink *sink, void *ctx)
{
	struct image im = image_to(sink, ctx);
	uint32_t n = k->n;

	image_bytes(&im, &n, sizeof n);
	scope_image(k->scope, &im);
	pages_image(k, &im);
	image_end(&im);
}

int knowledge_load(struct knowledge *k, uint32_t pages, const void *bytes, size_t size, struct err_note *why)
{
	struct image im = image_of(bytes, size);
	uint32_t n;

	image_bytes(&im, &n, sizeof n);
	if (n != pages || !scope_image(k->scope, &im)) {
		image_end(&im);
		return 0;
	}
	pages_image(k, &im);
	if (image_end(&im) || k->n != pages)
		return err_set(why, ERR_DAMAGED,
			"the knowledge of pages in the store's snapshot is damaged: remove the file 'frontier' of the store");
	return 1;
}

void knowledge_add_seed(struct knowledge *k, uint32_t id)
{
	struct store_page page;
	struct url u;

	if (store_page(k->store, id, &page) && url_split(&u, page.url, page.url_length) == URL_OK)
		scope_add_seed(k->scope, &u);
}
