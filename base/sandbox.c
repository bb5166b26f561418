#include "base/sandbox.h"
#include "base/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#if __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
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

/* What is forbidden everywhere to a process whose reading is bounded, beside the files that it may not read. */
#define LISTENING (1ull << 0) /* at a TCP port; ABI 4 */
#define SCOPES    (3ull << 0) /* sockets without a path, and signals, of other processes; ABI 6 */

/* The attributes of rules, of which older headers know the first one or two. */
struct rules {
	uint64_t files, net, scoped;
};

/* What libraries read when they are used: certificates, how names are resolved (links, too), time zones, what the kernel tells. */
static const char *const system_places[] = {"/etc", "/usr", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/gnu", "/run", "/proc",
	"/sys", "/dev", "/var/lib/ca-certificates", "/var/lib/sss", "/etc/resolv.conf", "/etc/hosts", NULL};

static long abi(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Allows something for a place. Returns 0, or an errno. */
static int allow(int rules, const char *place, uint64_t access)
{
	struct landlock_path_beneath_attr beneath = {.allowed_access = access};
	struct stat s;

	beneath.parent_fd = open(place, O_PATH | O_CLOEXEC);
	int failed = beneath.parent_fd < 0 || fstat(beneath.parent_fd, &s);
	if (!failed && !S_ISDIR(s.st_mode))
		beneath.allowed_access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
	if (!failed)
		failed = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) != 0;
	const int problem = errno;
	if (beneath.parent_fd >= 0)
		close(beneath.parent_fd);
	return failed ? problem : 0;
}

/* Allows the places of a sandbox. Returns 0, or ERR_FILE. */
static int allow_all(int rules, const struct sandbox *box, uint64_t access, struct err_note *why)
{
	const uint64_t read = LANDLOCK_ACCESS_FS_READ_FILE;
	int problem = 0;

	for (size_t i = 0; i < box->n; i++) {
		problem = allow(rules, box->folders[i], access | (box->read ? read : 0));
		if (problem)
			return err_set(why, ERR_FILE, "cannot confine writes to '%s': %s; --no-sandbox goes without",
				box->folders[i], ascii_error(problem));
	}
	for (const char *const *p = box->read ? system_places : NULL; p && *p; p++)
		(void)allow(rules, *p, read);
	for (const char *const *p = box->read; p && *p; p++)
		(void)allow(rules, *p, read);
	return 0;
}

static int confine(const struct sandbox *box, struct err_note *why)
{
	const long version = abi();
	const uint64_t access = IN_FOLDERS | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0);
	const struct rules attr = {
		.files = access | NOWHERE | (box->read ? LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE : 0),
		.net = box->read && version >= 4 ? LISTENING : 0,
		.scoped = box->read && version >= 6 ? SCOPES : 0,
	};

	if (version < 1)
		return 1;
	const size_t size = version >= 6 ? sizeof attr
		: version >= 4           ? offsetof(struct rules, scoped)
					 : offsetof(struct rules, net);
	const int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
	if (rules < 0)
		return 1;
	int err = allow_all(rules, box, access, why);
	if (!err && syscall(SYS_landlock_restrict_self, rules, 0) != 0)
		err = 1;
	close(rules);
	return err;
}

const char *sandbox_forbids(void)
{
	const long version = abi();

	return version >= 6
		? "to read other files than those of the system and these, to run programs, to listen at a port, and to signal "
		  "other processes"
		: version >= 4 ? "to read other files than those of the system and these, to run programs, and to listen at a port"
			       : "to read other files than those of the system and these, and to run programs";
}

#else

static int confine(const struct sandbox *box, struct err_note *why)
{
	(void)box, (void)why;
	return 1;
}

const char *sandbox_forbids(void)
{
	return "nothing";
}

#endif

int sandbox_enter(const struct sandbox *box, struct err_note *why)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 1;
	return confine(box, why);
}

/* --- the jail. A filter is a program that the kernel runs before each system call. */

#if defined(__x86_64__) && !defined(__ILP32__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define MACHINE AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define MACHINE AUDIT_ARCH_S390X
#elif defined(__i386__)
#define MACHINE AUDIT_ARCH_I386
#elif defined(__arm__) && defined(__ARMEL__)
#define MACHINE AUDIT_ARCH_ARM
#endif

#if defined(SECCOMP_RET_KILL_PROCESS) && defined(MACHINE)

/* The calls that the jail allows; those with a protection as their third argument must not make code. */
static const int allowed[] = {
	SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_exit, SYS_exit_group, SYS_futex, SYS_clock_gettime, SYS_rt_sigreturn,
#ifdef SYS_futex_time64
	SYS_futex_time64, SYS_clock_gettime64,
#endif
	SYS_getrandom, /* by malloc */
};
static const int protecting[] = {
	SYS_mprotect,
#ifdef SYS_mmap2
	SYS_mmap2,
#else
	SYS_mmap,
#endif
};
static const int reporting[] = {SYS_write, SYS_openat, SYS_read, SYS_close, SYS_getpid, SYS_gettid, SYS_sched_yield,
	SYS_sigaltstack, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_tgkill};

#define COUNT(array)              (sizeof(array) / sizeof *(array))
#define LOAD(at)                  (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define JUMP(how, value, yes, no) (struct sock_filter) BPF_JUMP(BPF_JMP | (how) | BPF_K, value, yes, no)
#define ANSWER(action)            (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, action)

int sandbox_has_jail(void)
{
	const uint32_t action = SECCOMP_RET_ERRNO;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* Appends the part of the filter that allows some calls. */
static size_t allow_calls(struct sock_filter *f, size_t n, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		f[n++] = JUMP(BPF_JEQ, (uint32_t)calls[i], 0, 1);
		f[n++] = ANSWER(SECCOMP_RET_ALLOW);
	}
	return n;
}

int sandbox_jail(void)
{
	/* the low half of the third argument, in which the protection is */
	const uint32_t low = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0;
	struct sock_filter f[2 * (COUNT(allowed) + COUNT(reporting)) + 5 * COUNT(protecting) + 8];
	size_t n = 0;

	f[n++] = LOAD(offsetof(struct seccomp_data, arch));
	f[n++] = JUMP(BPF_JEQ, MACHINE, 1, 0);
	f[n++] = ANSWER(SECCOMP_RET_KILL_PROCESS);
	f[n++] = LOAD(offsetof(struct seccomp_data, nr));
	n = allow_calls(f, n, allowed, COUNT(allowed));
	n = allow_calls(f, n, reporting, SANDBOX_REPORTS ? COUNT(reporting) : 0);
	for (size_t i = 0; i < COUNT(protecting); i++) {
		f[n++] = JUMP(BPF_JEQ, (uint32_t)protecting[i], 0, 4);
		f[n++] = LOAD((uint32_t)offsetof(struct seccomp_data, args[2]) + low);
		f[n++] = JUMP(BPF_JSET, PROT_EXEC, 1, 0);
		f[n++] = ANSWER(SECCOMP_RET_ALLOW);
		f[n++] = ANSWER(SECCOMP_RET_ERRNO | EPERM);
	}
	f[n++] = ANSWER(SECCOMP_RET_ERRNO | EPERM);
	const struct sock_fprog filter = {.len = (unsigned short)n, .filter = f};
	return !sandbox_has_jail() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0;
}

#else

int sandbox_has_jail(void)
{
	return 0;
}

int sandbox_jail(void)
{
	return 1;
}

#endif
