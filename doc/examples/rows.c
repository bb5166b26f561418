/* rows GRAPH NODE ...: the targets of some nodes of a BVGraph, without reading the others.
 *
 *	cc rows.c $(pkg-config --cflags --libs lycosa) -o rows */
#include <lycosa.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct lycosa_rows *rows;
	struct lycosa_note why;
	const uint32_t *target;
	uint32_t n;

	if (argc < 2 || lycosa_rows_open(&rows, argv[1], &why)) {
		fprintf(stderr, "rows: %s\n", argc > 1 ? why.text : "usage: rows GRAPH NODE ...");
		return 1;
	}
	for (int i = 2; i < argc; i++) {
		const uint32_t u = (uint32_t)strtoul(argv[i], NULL, 10);
		if (lycosa_rows_get(rows, u, &target, &n, &why)) {
			fprintf(stderr, "rows: %s\n", why.text);
			lycosa_rows_close(rows);
			return 1;
		}
		printf("%u:", u);
		for (uint32_t k = 0; k < n; k++)
			printf(" %u", target[k]);
		printf("\n");
	}
	lycosa_rows_close(rows);
	return 0;
}
