/* Where a crawl may write: pages come from strangers, and what they make of a defect in a parser ends at
 * the crawl's own files. */
#ifndef CLI_CRAWL_CRAWL_SANDBOX_H
#define CLI_CRAWL_CRAWL_SANDBOX_H

#include "base/err.h"
#include "cli/crawl/crawl_options.h"

struct crawl_sandbox {
	const struct crawl_options *options;
	const struct live_config *config;
};

/* Confines this process to writing into the store, the store compared with (whose readers LMDB keeps in a
 * table there), and the folders of archive, log, --order and --rejected; all of them exist by now. The
 * context is a struct crawl_sandbox. Where the kernel cannot, nothing happens and only -v tells. ERR_FILE. */
int crawl_sandbox_enter(const void *ctx, struct err_note *why) MUST_USE;

#endif
