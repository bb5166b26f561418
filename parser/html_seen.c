#include "parser/html_seen.h"

#include <string.h>

static uint64_t load(const char *p, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, p, n < sizeof word ? n : sizeof word);
	return word;
}

/* Returns the slot of a reference, by a hash of its first and last bytes, since the references of a page differ there. */
static size_t slot_of(struct html_text t, unsigned flags)
{
	uint64_t hash = t.n + ((uint64_t)flags << 32);

	hash = (hash ^ load(t.at, t.n)) * 0x9e3779b97f4a7c15;
	if (t.n > 8)
		hash = (hash ^ (hash >> 29) ^ load(t.at + t.n - 8, 8)) * 0x9e3779b97f4a7c15;
	if (t.n > 16)
		hash = (hash ^ (hash >> 29) ^ load(t.at + t.n - 16, 8)) * 0x9e3779b97f4a7c15;
	return hash >> 55;
}

int html_seen(struct html_seen *s, struct html_text reference, unsigned flags)
{
	struct html_seen_slot *slot = &s->slot[slot_of(reference, flags)];

	_Static_assert(HTML_SEEN_SLOTS == 1 << (64 - 55), "slot_of() has as many bits");
	if (slot->at && slot->n == reference.n && slot->flags == flags && memcmp(slot->at, reference.at, reference.n) == 0)
		return 1;
	if (reference.n <= UINT32_MAX)
		*slot = (struct html_seen_slot){reference.at, (uint32_t)reference.n, flags};
	return 0;
}

void html_seen_forget(struct html_seen *s)
{
	memset(s, 0, sizeof *s);
}
