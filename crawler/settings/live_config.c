#include "crawler/settings/live_config.h"
#include "base/ascii.h"
#include "fetch/answer.h"
#include "fetch/fetch.h"
#include "parser/host_settings.h"
#include "parser/link_kind.h"
#include "policies/policies.h"
#include "storage/warc.h"

#include <string.h>

#define MOST_BYTES ((double)(1u << 30)) /* of a page, which is read in memory */
#define OWN(field) offsetof(struct live_config, field)

static const char *policy_word(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!policies[k])
			return NULL;
	return policies[i] ? policies[i]->name : NULL;
}

/* Accepts any text. The names of policies are listed for completion only: policy_find() says whether there is such a policy, file
 * or chain, and knows the nearest name. */
static int is_any_text(const char *text)
{
	(void)text;
	return 1;
}

/* What --heed can name: the first words in the order of enum fetch_heed's bits. */
enum { HEED_ALL = 4, HEED_NONE = 5 };

static const char *heed_word(size_t i)
{
	static const char *const words[] = {"nofollow", "meta-robots", "x-robots-tag", "canonical", "all", "none"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

#define FOLLOW_NO "no-"

/* What --follow can name: "all" and "none", the kinds whose use it decides, and these behind "no-". */
static const char *follow_word(size_t i)
{
	static const char *const words[2][LINK_KINDS] = {
#define WORD(id, name, ...) name,
		{LINK_TABLE(WORD)},
#undef WORD
#define WORD(id, name, ...) FOLLOW_NO name,
		{LINK_TABLE(WORD)}
#undef WORD
	};

	if (i < 2)
		return i ? "none" : "all";
	i -= 2;
	for (size_t form = 0; form < 2; form++)
		for (size_t k = 0; k < LINK_KINDS; k++)
			if (link_kinds[k].use != LINK_BY_FLAG && !i--)
				return words[form][k];
	return NULL;
}

/* clang-format off */
#define SECTION(name) const struct flag live_config_##name[] = {
#define SETTING(kind, field, value, name, letter, argument, told, ...) \
	{name, letter, FLAG_##kind, OWN(field), argument, .help = told, __VA_ARGS__},
#define ALIAS(old, name, told) {old, 0, FLAG_ALIAS, 0, name, .help = told},
#define END_OF_SECTION {.name = NULL}};
#include "base/settings.h"
/* clang-format on */

const struct flag *live_config_row(size_t i)
{
	static const struct flag *const sections[] = {live_config_policy, live_config_scope, live_config_manners,
		live_config_transfers, live_config_refresh, live_config_files, live_config_derived};

	for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
		for (const struct flag *row = sections[k]; row->name; row++)
			if (!i--)
				return row;
	return NULL;
}

const struct live_config live_config_defaults = {
#define SETTING(kind, field, value, ...) .field = value,
#include "base/settings.h"
};

unsigned live_config_heed(const struct live_config *c)
{
	unsigned heed = 0;

	/* where nothing is said: robots.txt and its like are for all but one's own server */
	if (!c->heed.count)
		return c->no_robots ? 0 : fetch_defaults.heed;
	for (size_t i = 0; i < c->heed.count; i++)
		for (size_t k = 0; k < HEED_NONE; k++)
			if (strcmp(c->heed.at[i], heed_word(k)) == 0)
				heed |= k == HEED_ALL ? (1u << HEED_ALL) - 1 : 1u << k;
	return heed;
}

unsigned live_config_kinds(const struct live_config *c)
{
	unsigned kinds = LINK_DEFAULTS | (c->follow_sitemaps ? 1u << LINK_SITEMAP : 0);

	for (size_t i = 0; i < c->follow.count; i++) {
		const char *word = c->follow.at[i];
		const int is_no = strncmp(word, FOLLOW_NO, strlen(FOLLOW_NO)) == 0 || strcmp(word, "none") == 0;
		unsigned named = 0;
		for (unsigned k = 0; k < LINK_KINDS; k++)
			if (link_kinds[k].use != LINK_BY_FLAG &&
				(strcmp(word, "all") == 0 || strcmp(word, "none") == 0 ||
					strcmp(word + (is_no ? strlen(FOLLOW_NO) : 0), link_kinds[k].name) == 0))
				named |= 1u << k;
		kinds = is_no ? kinds & ~named : kinds | named;
	}
	return kinds;
}

/* Says whether a header proves the identity of its sender, by the header's name. */
static int header_is_secret(const char *line)
{
	static const char *const words[] = {"auth", "cookie", "token", "secret", "password", "key", "session"};
	const size_t n = strcspn(line, ":");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t length = strlen(words[i]);
		for (size_t at = 0; at + length <= n; at++)
			if (ascii_same(line + at, words[i], length))
				return 1;
	}
	return 0;
}

int live_config_is_secret(const struct flag *row, const struct live_config *c)
{
	if (row->at == OWN(auth))
		return c->auth != NULL;
	if (row->at == OWN(load_cookies))
		return c->load_cookies != NULL;
	if (row->at == OWN(proxy))
		return c->proxy && strchr(c->proxy, '@');
	if (row->at == OWN(host_manners))
		return host_settings_has_secret(c->host_manners);
	for (size_t i = 0; row->at == OWN(header) && i < c->header.count; i++)
		if (header_is_secret(c->header.at[i]))
			return 1;
	return 0;
}

/* Says whether a policy runs no code but this program's, and reads no file. */
static int is_plain(const char *spec)
{
	const struct policy *policy = NULL;

	if (!spec || policy_spec_has_file(spec) || policy_find(spec, &policy, NULL))
		return !spec || !policy_spec_has_file(spec);
	const int has_oracle = policy_with_oracle(policy) != NULL;
	policy_free(policy);
	return !has_oracle;
}

enum flag_trust live_config_trust(const struct flag *row, const struct live_config *c)
{
	if (live_config_is_secret(row, c))
		return FLAG_ASKED_AGAIN;
	if (row->at == OWN(policy) || row->at == OWN(policy_opt))
		return is_plain(c->policy) ? FLAG_TRUSTED : row->trust;
	return row->trust;
}

void live_config_release(struct live_config *c)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (row->kind == FLAG_EACH || row->kind == FLAG_COMMAS)
			flag_list_release((struct flag_list *)(void *)((char *)c + row->at));
}
