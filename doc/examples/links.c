/* links URL <page.html: the links of a page that came from a URL; normalised, each with its kind.
 *
 *	cc links.c $(pkg-config --cflags --libs lycosa) -o links */
#include <lycosa.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const char *const kind[] = {"a", "area", "frame", "link", "refresh"};
	static char body[1 << 20];
	struct lycosa_page *page;
	struct lycosa_note why;
	size_t n = fread(body, 1, sizeof body, stdin);

	if (argc != 2 || lycosa_page_parse(&page, body, n, argv[1], "text/html", &why)) {
		fprintf(stderr, "links: %s\n", argc == 2 ? why.text : "usage: links URL <PAGE");
		return 1;
	}
	printf("base %s, charset %s\n", lycosa_page_base(page), lycosa_page_charset(page));
	const struct lycosa_link *link = lycosa_page_links(page, &n);
	for (size_t i = 0; i < n; i++) {
		char *normal;
		if (lycosa_url_normalise(&normal, link[i].url, strlen(link[i].url), "tracking,index", &why)) {
			fprintf(stderr, "links: %s\n", why.text);
			continue;
		}
		printf("%s\t%s%s\n", normal, kind[link[i].kind], link[i].nofollow ? " nofollow" : "");
		lycosa_free(normal);
	}
	lycosa_page_free(page);
	return 0;
}
