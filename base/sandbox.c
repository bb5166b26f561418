#include "base/sandbox.h"
#include "base/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#endif

#if defined(LANDLOCK_CREATE_RULESET_VERSION) && defined(SYS_landlock_create_ruleset)

/* Rights that the first version of linux/landlock.h does not define. */
#define REFER    (1ull << 13) /* to link or rename from folder to folder; ABI 2 */
#define TRUNCATE (1ull << 14) /* ABI 3 */

/* The rights to write, create and remove files, which are granted in the named folders only. */
#define IN_FOLDERS \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR)
/* The rights that a crawl does not need in any folder: they are granted nowhere. */
#define NOWHERE \
	(LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK | \
		LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static int allow(int rules, const char *folder, uint64_t access, struct err_note *why)
{
	struct landlock_path_beneath_attr beneath = {.allowed_access = access};

	beneath.parent_fd = open(folder, O_PATH | O_CLOEXEC);
	long failed = beneath.parent_fd < 0;
	if (!failed)
		failed = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	const int problem = errno;
	if (beneath.parent_fd >= 0)
		close(beneath.parent_fd);
	return failed ? err_set(why, ERR_FILE, "cannot confine writes to '%s': %s; --no-sandbox goes without", folder,
				ascii_error(problem))
		      : 0;
}

static int confine(const char *const *folders, size_t n, struct err_note *why)
{
	const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	uint64_t access = IN_FOLDERS | (abi >= 2 ? REFER : 0) | (abi >= 3 ? TRUNCATE : 0);
	const struct landlock_ruleset_attr attr = {.handled_access_fs = access | NOWHERE};
	int err = 0;

	if (abi < 1)
		return 1;
	const int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr.handled_access_fs, 0);
	if (rules < 0)
		return 1;
	for (size_t i = 0; !err && i < n; i++)
		err = allow(rules, folders[i], access, why);
	if (!err && syscall(SYS_landlock_restrict_self, rules, 0) != 0)
		err = 1;
	close(rules);
	return err;
}

#else

static int confine(const char *const *folders, size_t n, struct err_note *why)
{
	(void)folders, (void)n, (void)why;
	return 1;
}

#endif

int sandbox_enter(const char *const *folders, size_t n, struct err_note *why)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 1;
	return confine(folders, n, why);
}
