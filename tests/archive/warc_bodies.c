/* The pages of an archive as `lycosa store dump` tells those of a store: "url TAB status TAB digest" a
 * response or revisit of the WARC files named, in their order. */
#include "tests/storage/warc_read.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define RECORDS (1u << 20)

static struct record *all;
static size_t n;

/* The response that a revisit repeats. */
static const struct record *original(const struct record *r)
{
	char digest[128];

	if (strcmp(value(r, "WARC-Type"), "revisit") != 0 || !value(r, "WARC-Payload-Digest"))
		return r;
	snprintf(digest, sizeof digest, "%s", value(r, "WARC-Payload-Digest"));
	for (size_t i = 0; i < n; i++)
		if (strcmp(value(&all[i], "WARC-Type"), "response") == 0 &&
			strcmp(value(&all[i], "WARC-Payload-Digest"), digest) == 0)
			return &all[i];
	return r;
}

int main(int argc, char **argv)
{
	all = malloc(RECORDS * sizeof *all);
	for (int i = 1; i < argc; i++)
		n += read_all(argv[i], all + n, RECORDS - n);
	for (size_t i = 0; i < n; i++) {
		const char *type = value(&all[i], "WARC-Type");
		if (strcmp(type, "response") != 0 && strcmp(type, "revisit") != 0)
			continue;
		const struct record *r = original(&all[i]);
		const char *body = strstr(r->block, "\r\n\r\n") + 4;
		const XXH128_hash_t h = XXH3_128bits(body, r->n - (size_t)(body - r->block));
		printf("%s\t%.3s\t%016llx%016llx\n", value(&all[i], "WARC-Target-URI"), all[i].block + strlen("HTTP/1.1 "),
			(unsigned long long)h.high64, (unsigned long long)h.low64);
	}
	return 0;
}
