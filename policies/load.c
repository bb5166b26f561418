#include "base/ascii.h"
#include "policies/policies.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* limits that no policy needs to exceed, and that the frontier has memory for */
#define STATE_MOST   ((size_t)1 << 30)
#define PAGE_MOST    4096
#define OPTIONS_MOST 100

/* Says whether a text has only letters, digits, '-' and '_'. Names of policies and options must, since a chain puts ',',
 * ':' and '.' between them. */
static int is_name(const char *text)
{
	if (!text || !*text || strlen(text) > 64)
		return 0;
	for (; *text; text++)
		if (!ascii_is_alnum(*text) && *text != '-' && *text != '_')
			return 0;
	return 1;
}

static const char *wrong_option(const struct opt *o)
{
	if (!is_name(o->name))
		return "an option's name is not of letters, digits, '-' and '_'";
	if ((unsigned)o->kind > OPT_TEXT || !o->help)
		return "an option has no kind or no help";
	if (o->kind == OPT_CHOICE && (!o->choices || !*o->choices))
		return "an option has no choices";
	if ((o->kind == OPT_REAL || o->kind == OPT_COUNT) && !(o->def >= o->min && o->def <= o->max))
		return "the default of an option is out of its range";
	return NULL;
}

/* Returns why a struct policy is invalid, or NULL if it is valid. */
static const char *wrong_policy(const struct policy *p)
{
	size_t n = 0;

	if (!p)
		return "it has none";
	if (!is_name(p->name))
		return "it has no name, or one that is not of letters, digits, '-' and '_'";
	if (policy_named(p->name) || strcmp(p->name, "ideal") == 0)
		return "its name is that of a built-in one";
	if (!p->summary || !p->source)
		return "it has no summary or no source";
	if ((unsigned)p->order > POLICY_HIGHEST_FIRST || (unsigned)p->oracle > POLICY_SCORES)
		return "its order or its oracle is none";
	if ((p->needs | p->wants) & ~POLICY_SEES_ALL)
		return "it needs or wants to see what no policy sees";
	if (!isfinite(p->first_key))
		return "its first key is not finite";
	if (p->state_size > STATE_MOST || p->page_size > PAGE_MOST)
		return "it asks for more memory than any policy needs";
	if (p->page_sent > p->page_size)
		return "it sends more bytes of a page than it has";
	if (p->due && !p->rerank)
		return "it says when to rerank, but has no rerank";
	if (!p->take_mass != !p->add_mass)
		return "of take_mass and add_mass it has one alone";
	if (p->plan.turns || p->plan.n)
		return "it is a chain";
	for (; p->opts && p->opts[n].name; n++) {
		const char *wrong = n < OPTIONS_MOST ? wrong_option(&p->opts[n]) : "too many options";
		if (wrong)
			return wrong;
	}
	return NULL;
}

static int check(const struct policy_module *m, const char *path, struct err_note *why)
{
	if (!m)
		return err_set(why, ERR_USAGE, "'%s' exports no '%s'; see doc/policies.md", path, POLICY_SYMBOL);
	if (m->abi != POLICY_ABI)
		return err_set(why, ERR_USAGE,
			"'%s' was built for version %u of frontier/policy.h, this is version %u: build it again", path, m->abi,
			(unsigned)POLICY_ABI);
	if (m->policy_size != sizeof(struct policy))
		return err_set(why, ERR_USAGE, "'%s' was built with another struct policy, of %u bytes and not %zu: build it again",
			path, m->policy_size, sizeof(struct policy));
	const char *wrong = wrong_policy(m->policy);
	return wrong ? err_set(why, ERR_USAGE, "the policy in '%s' cannot be used: %s", path, wrong) : 0;
}

/* Checks that a file exists and is an ELF file. dlopen() would check this as well, but with a longer message, and it would
 * search other folders for a path without a '/'. */
static int is_shared_object(const char *path, struct err_note *why)
{
	char magic[4] = "";
	struct stat st;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(errno));
	int is_elf = fstat(file, &st) == 0 && S_ISREG(st.st_mode) && read(file, magic, sizeof magic) == sizeof magic &&
		memcmp(magic, "\177ELF", sizeof magic) == 0;
	close(file);
	return is_elf ? 0 : err_set(why, ERR_USAGE, "'%s' is no shared object; see doc/policies.md on how to build one", path);
}

int policy_load(const char *path, const struct policy **out, struct err_note *why)
{
	*out = NULL;
	int err = is_shared_object(path, why);
	if (err)
		return err;
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return err_set(why, ERR_USAGE, "cannot load the policy: %s", dlerror());
	const struct policy_module *m = dlsym(handle, POLICY_SYMBOL);
	err = check(m, path, why);
	if (err)
		dlclose(handle);
	else
		*out = m->policy;
	return err;
}
