#include "crawler/live/live_archive.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int live_archive_check(const char *prefix, struct err_note *why)
{
	char *shown = mem_text(prefix);
	err_escape(shown);
	const int is_text = strcmp(shown, prefix) == 0;
	free(shown);
	if (!is_text)
		return err_set(why, ERR_USAGE, "--warc '%s' has a control character, or one that is no UTF-8", prefix);
	const char *slash = strrchr(prefix, '/');
	char *folder = slash ? mem_part(prefix, (size_t)(slash - prefix) + 1) : mem_text(".");
	const int failed = access(folder, W_OK | X_OK) != 0;

	if (failed)
		err_set(why, ERR_FILE, "cannot write '%s-...': %s", prefix, ascii_error(errno));
	free(folder);
	return failed ? ERR_FILE : 0;
}

int live_archive_open(struct warc **archive, const struct live_config *c, const char *user_agent, struct err_note *why)
{
	struct buf fields = BUF_EMPTY;

	buf_format(&fields, "http-header-user-agent: %s\r\nrobots: %s\r\n", user_agent, c->no_robots ? "ignore" : "obey");
	int err = warc_open(archive, c->warc,
		&(struct warc_settings){c->warc_size, (int)c->warc_level, PACKAGE_NAME "/" PACKAGE_VERSION, fields.at}, why);
	buf_release(&fields);
	return err;
}

static int watch(void *ctx, const struct result *e, struct err_note *why)
{
	(void)e;
	return warc_failed(ctx, why);
}

static int sync_files(void *ctx, struct err_note *why)
{
	return warc_sync(ctx, why);
}

struct observer live_archive_observer(struct warc *archive)
{
	return (struct observer){.ctx = archive, .event = watch, .visit = watch, .sync = sync_files};
}
