#include "crawler/live/live_network.h"
#include "crawler/live/live_memory.h"
#include "config.h"
#include "parser/match.h"

#include <stdlib.h>
#include <unistd.h>

#define THREADS_MAX 1024

static unsigned threads_of(const struct live_config *c)
{
	const long processors = c->threads ? (long)c->threads : sysconf(_SC_NPROCESSORS_ONLN);

	return processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (unsigned)processors;
}

static char *user_agent_of(const struct live_config *c, const char *agent_end)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, c->user_agent ? c->user_agent : PACKAGE_NAME "/" PACKAGE_VERSION);
	buf_text(&text, agent_end);
	return buf_take(&text);
}

/* Returns the text that follows the crawler's name and version in the User-Agent: the contact. */
static char *agent_end_of(const struct live_config *c)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, "");
	if (c->contact)
		buf_format(&text, " (+%s)", c->contact);
	return buf_take(&text);
}

/* Compiles --accept-text. Returns ERR_USAGE for a back-reference, with which the time of a match would have no bound. */
static int match_topic(struct live_network *n, const struct live_config *c, struct err_note *why)
{
	for (const char *at = c->accept_text; at && *at; at += 1 + (*at == '\\' && at[1]))
		if (*at == '\\' && at[1] >= '1' && at[1] <= '9')
			return err_set(why, ERR_USAGE, "--accept-text '%s' refers back to a group by \\%c; leave that out",
				c->accept_text, at[1]);
	const int err = match_regex_new(&n->topic, c->accept_text, why);
	n->fetch.topic = n->topic;
	return err;
}

/* Reads the settings of single hosts from the kept texts. Errors were reported before, with the name of the file. */
static int read_hosts(struct live_network *n, const struct live_config *c, struct err_note *why)
{
	int err = 0;

	if (!c->host_manners && !c->host_scope)
		return 0;
	n->fetch.host_settings = n->hosts = host_settings_new();
	if (c->host_manners)
		err = host_settings_read(n->hosts, "host-settings", c->host_manners, why);
	if (!err && c->host_scope)
		err = host_settings_read(n->hosts, "host-scope", c->host_scope, why);
	return err;
}

/* Sets the settings of the fetchers from the configuration. */
static void set_fetch(struct fetch_settings *f, const struct live_config *c)
{
	*f = fetch_defaults;
	f->threads = threads_of(c);
#define FETCH(kind, field, ...) f->field = c->field;
#include "base/settings.h"
	f->by_address = 1;
	f->heed = live_config_heed(c);
	f->max_memory = live_memory_of_bodies(c);
	if (c->follow_sitemaps)
		f->kinds |= 1u << LINK_SITEMAP;
}

int live_network_make(struct live_network *n, const struct live_config *c, struct err_note *why)
{
	*n = (struct live_network){.agent_end = agent_end_of(c)};
	n->user_agent = user_agent_of(c, n->agent_end);
	set_fetch(&n->fetch, c);
	n->fetch.user_agent = n->user_agent;
	n->fetch.agent_end = n->agent_end;
	n->guard = (struct guard_settings){.reach = c->contact ? GUARD_PUBLIC : GUARD_LOOPBACK,
		.allow_private = c->allow_private,
		.domains = c->domains,
		.connect_to = c->connect_to.at};
	int err = match_topic(n, c, why);
	if (!err)
		err = read_hosts(n, c, why);
	if (err || (!c->auth && !c->load_cookies))
		return err;
	err = credentials_read(&n->credentials, c->auth, c->load_cookies, why);
	n->fetch.credentials = n->credentials;
	return err;
}

void live_network_release(struct live_network *n)
{
	free(n->user_agent);
	free(n->agent_end);
	host_settings_free(n->hosts);
	match_regex_free(n->topic);
	n->topic = NULL;
	credentials_free(n->credentials);
	n->user_agent = n->agent_end = NULL;
	n->hosts = NULL;
	n->credentials = NULL;
}
