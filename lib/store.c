#include "storage/salvage.h"
#include "storage/store.h"
#include "lib/lib_internal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* --- struct lycosa_store is struct store under another name */

static struct store *inner(const struct lycosa_store *store)
{
	return (struct store *)store;
}

/* Looks through the descriptors of this process. */
int inside_store_is_free(const char *folder, struct err_note *why)
{
	char path[4096];
	struct stat wanted, found;
	const struct dirent *entry;
	int open = 0;

	snprintf(path, sizeof path, "%s/data.mdb", folder);
	DIR *all = stat(path, &wanted) == 0 ? opendir("/proc/self/fd") : NULL;
	if (!all)
		return 0;
	while (!open && (entry = readdir(all)))
		open = fstatat(dirfd(all), entry->d_name, &found, 0) == 0 && found.st_dev == wanted.st_dev &&
			found.st_ino == wanted.st_ino;
	closedir(all);
	return open ? err_set(why, ERR_BUSY, "'%s' is in use: this process has it open; close it first", folder) : 0;
}

static int open_store(struct lycosa_store **store, const char *folder, struct lycosa_note *missing, struct lycosa_note *why)
{
	struct store *s = NULL;
	enum store_rest rest = STORE_IS_SOUND;
	int err = inside_store_is_free(folder, inside_note(why));

	if (!err)
		err = missing ? store_open_rest(&s, folder, &rest, inside_note(missing), inside_note(why))
			      : store_open(&s, folder, STORE_READ, inside_note(why));
	if (missing && (err || rest != STORE_IS_PARTIAL))
		*missing->text = 0;
	if (!err)
		err = store_decode(s, inside_note(why));
	if (err) {
		store_drop(s);
		s = NULL;
	}
	*store = (struct lycosa_store *)s;
	return err;
}

int lycosa_store_open(struct lycosa_store **store, const char *folder, struct lycosa_note *why)
{
	return open_store(store, folder, NULL, why);
}

int lycosa_store_open_rest(struct lycosa_store **store, const char *folder, struct lycosa_note *missing, struct lycosa_note *why)
{
	return open_store(store, folder, missing, why);
}

void lycosa_store_close(struct lycosa_store *store)
{
	store_drop(inner(store));
}

uint32_t lycosa_store_pages(const struct lycosa_store *store)
{
	return store_pages(inner(store));
}

static void write_digest(const uint64_t digest[2], char hex[33])
{
	hex[0] = 0;
	if (digest[0] || digest[1])
		snprintf(hex, 33, "%016llx%016llx", (unsigned long long)digest[1], (unsigned long long)digest[0]);
}

int lycosa_store_page(struct lycosa_store *store, uint32_t id, struct lycosa_store_page *out, struct lycosa_note *why)
{
	struct store_page page;
	struct result result;

	*out = (struct lycosa_store_page){.target = LYCOSA_NO_PAGE};
	if (id >= store_pages(inner(store)))
		return err_set(inside_note(why), ERR_USAGE, "there is no page %u among %u", id, store_pages(inner(store)));
	if (!store_page(inner(store), id, &page))
		return err_set(inside_note(why), ERR_DAMAGED, "page %u is damaged; see 'lycosa store verify'", id);
	out->url = page.url;
	out->depth = page.depth;
	if (!store_result(inner(store), id, &result)) {
		/* refused at its discovery, or still to come */
		out->state = page_state_name(page.refusal ? PAGE_REFUSED : PAGE_QUEUED);
		out->outcome = outcome_word(page.refusal);
		return 0;
	}
	out->state = page_state_name(result.state);
	out->outcome = outcome_word(result.outcome);
	out->status = result.status;
	out->tries = result.tries;
	out->bytes = result.bytes;
	out->time = result.ended;
	if (result.state == PAGE_REDIRECTED)
		out->target = result.target;
	write_digest(result.digest, out->digest);
	return 0;
}

int lycosa_store_find(struct lycosa_store *store, const char *url, size_t n, uint32_t *id)
{
	return store_find(inner(store), url, n, id);
}

const uint32_t *lycosa_store_links(struct lycosa_store *store, uint32_t id, size_t *n)
{
	const uint32_t *links = NULL;

	*n = id < store_pages(inner(store)) ? store_web_links(inner(store), id, &links, NULL) : 0;
	return links;
}

const char *lycosa_store_setting(struct lycosa_store *store, const char *name)
{
	return store_get(inner(store), name);
}
