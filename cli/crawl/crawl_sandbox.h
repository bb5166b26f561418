/* Restricts a crawl to writing its own files (base/sandbox.h), since a page from a stranger may exploit a defect in a
 * parser. */
#ifndef CLI_CRAWL_CRAWL_SANDBOX_H
#define CLI_CRAWL_CRAWL_SANDBOX_H

#include "base/err.h"
#include "cli/crawl/crawl_options.h"

struct crawl_sandbox {
	const struct crawl_options *options;
	const struct live_config *config;
};

/* Restricts this process to writing below these folders, which exist by now: the store; the store of --previous
 * (in which LMDB registers its readers); and the folders of the archive, the log, --order and --rejected. `ctx` is
 * a struct crawl_sandbox. If the kernel has no sandbox, the function prints a message at -v. Returns 0 or
 * ERR_FILE. */
int crawl_sandbox_enter(const void *ctx, struct err_note *why) MUST_USE;

#endif
