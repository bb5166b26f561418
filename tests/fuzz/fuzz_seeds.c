/* A byte, how many nodes a graph has; how much of the rest is a list of their URLs; and a file of seeds, or
 * a rule where that byte is odd. */
#include "tests/fuzz/graph_input.h"

#include "base/mem.h"
#include "cli/sites.h"
#include "lab/study/seedset.h"

static void check_seeds(const struct seedset *s, const struct dataset *d)
{
	for (size_t i = 0; i < s->n; i++) {
		graph_input_require(s->ids[i] < d->graph.nodes);
		for (size_t j = 0; j < i && i < 64; j++)
			graph_input_require(s->ids[i] != s->ids[j]);
	}
	for (size_t i = 0; s->tried && i < s->n_tried; i++)
		graph_input_require(s->tried[i] < d->graph.nodes);
}

/* Each host has a site, whose lowest host it is. */
static void check_sites(const struct names *names, enum site_by by)
{
	uint32_t *site = mem_new(names->hosts, sizeof *site);

	sites_of_hosts(names, by, site);
	for (uint32_t h = 0; h < names->hosts; h++)
		graph_input_require(site[h] <= h && site[site[h]] == site[h]);
	free(site);
}

/* Says whether a spec names a file, which no input of the fuzzer is to open. */
static int is_path_of(const char *spec)
{
	if (strncmp(spec, "sample:", 7) == 0) {
		const char *rule = strchr(spec + 7, ':');
		return rule && is_path_of(rule + 1);
	}
	return !seedset_is_drawn(spec) && strncmp(spec, "hosts:", 6) != 0 && strcmp(spec, "roots") != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int urls_fd = -1, seeds_fd = -1;
	struct dataset d = {.format = "edges"};
	struct seedset seeds = {0};
	struct err_note why = {""};
	char urls[64], path[64];

	if (n < 2)
		return 0;
	const size_t part = (n - 2) * bytes[1] / 255;
	graph_input_file(&urls_fd, bytes + 2, part, urls);
	graph_input_file(&seeds_fd, bytes + 2 + part, n - 2 - part, path);
	graph_from_arcs(&d.graph, bytes[0], NULL, NULL, 0);
	if (names_from_urls(&d.names, urls, bytes[0], NULL) == 0 && d.names.id)
		names_arrange(&d.names, &d.graph);
	char *rule = mem_part((const char *)bytes + 2 + part, n - 2 - part);
	const int is_path = is_path_of(rule);
	if (bytes[0]) {
		const int err = seedset_read(&seeds, bytes[0] % 2 && !is_path ? rule : path, &d, 1, &why);
		graph_input_require(!err == !*why.text);
		if (!err)
			check_seeds(&seeds, &d);
	}
	if (d.names.nodes) {
		check_sites(&d.names, SITE_HOST);
		check_sites(&d.names, SITE_DOMAIN);
	}
	free(rule);
	seedset_release(&seeds);
	names_release(&d.names);
	graph_release(&d.graph);
	return 0;
}
