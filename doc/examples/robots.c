/* robots AGENT URL ... <robots.txt: which URLs the agent may fetch.
 *
 *	cc robots.c $(pkg-config --cflags --libs lycosa) -o robots */
#include <lycosa.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static char body[500 * 1024];
	struct lycosa_robots *robots;
	struct lycosa_note why;

	if (argc < 2) {
		fprintf(stderr, "usage: robots AGENT URL ... <ROBOTS.TXT\n");
		return 1;
	}
	robots = lycosa_robots_parse(body, fread(body, 1, sizeof body, stdin), argv[1]);
	printf("delay %g s\n", lycosa_robots_delay(robots));
	for (size_t i = 0; lycosa_robots_sitemap(robots, i); i++)
		printf("sitemap %s\n", lycosa_robots_sitemap(robots, i));
	for (int i = 2; i < argc; i++) {
		const int allowed = lycosa_robots_allowed(robots, argv[i], &why);
		printf("%s\t%s\n", argv[i], allowed < 0 ? why.text : allowed ? "allow" : "deny");
	}
	lycosa_robots_free(robots);
	return 0;
}
