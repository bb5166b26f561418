/* store FOLDER: the pages of a crawl's store in the order of their discovery, with what became of
 * them and how many links they have.
 *
 *	cc store.c $(pkg-config --cflags --libs lycosa) -o store */
#include <lycosa.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct lycosa_store *s;
	struct lycosa_store_page page;
	struct lycosa_note why;
	size_t links;

	if (argc != 2 || lycosa_store_open(&s, argv[1], &why)) {
		fprintf(stderr, "store: %s\n", argc == 2 ? why.text : "usage: store FOLDER");
		return 1;
	}
	for (uint32_t id = 0; id < lycosa_store_pages(s); id++) {
		if (lycosa_store_page(s, id, &page, &why)) {
			fprintf(stderr, "store: %s\n", why.text);
			lycosa_store_close(s);
			return 1;
		}
		lycosa_store_links(s, id, &links);
		printf("%s\t%s\t%u\t%zu\n", page.url, page.state, page.status, links);
	}
	lycosa_store_close(s);
	return 0;
}
