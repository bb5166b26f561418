#include "crawler/monitor/control_internal.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "crawler/resume/rescope.h"

#include <stdlib.h>
#include <string.h>

/* --- this sitting alone */

int control_pause(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	(void)args;
	(void)why;
	*c->settings.paused = 1;
	log_say("paused by the monitor: no further page is taken");
	json_put_text(out, "stage", "paused");
	return 0;
}

int control_resume(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	(void)args;
	(void)why;
	*c->settings.paused = 0;
	log_say("resumed by the monitor");
	json_put_text(out, "stage", "running");
	return 0;
}

int control_stop(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	(void)args;
	(void)why;
	if (!*c->settings.stop)
		*c->settings.stop = 1;
	log_say("stopped by the monitor: pages in flight are finished");
	json_put_text(out, "stage", "stopping");
	return 0;
}

/* Tells what a host does now. */
static void put_host(struct control *c, json_t *out, uint32_t host)
{
	json_put_text(out, "host", control_host_name(c, host));
	control_put_host_state(c, out, host);
}

int control_hold(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t host;
	int err = control_find_host(c, control_text(args, "host"), &host, why);

	if (err)
		return err;
	frontier_hold(c->frontier, host);
	log_say("host %s is held by the monitor", control_host_name(c, host));
	put_host(c, out, host);
	return 0;
}

int control_release(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t host;
	int err = control_find_host(c, control_text(args, "host"), &host, why);

	if (err)
		return err;
	frontier_let_go(c->frontier, host);
	log_say("host %s is released by the monitor", control_host_name(c, host));
	put_host(c, out, host);
	return 0;
}

/* --- settings, kept in the store */

/* Keeps a setting as a later sitting reads it. */
static int keep_setting(struct control *c, const char *name, const void *field, struct err_note *why)
{
	const struct flag *row;
	struct buf text = BUF_EMPTY;
	size_t i = 0;

	while (strcmp((row = live_config_row(i))->name, name) != 0)
		i++;
	flag_keep(row, field, &text);
	const int err = store_set(c->store, name, text.used ? text.at : "", why);
	buf_release(&text);
	return err;
}

int control_set_delay(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *text = control_text(args, "delay");
	int64_t ms;

	if (num_time(text, &ms))
		return err_set(why, ERR_USAGE, "delay '%s' is no time; 2, 500ms and 1m30s are", text);
	int err = keep_setting(c, "delay", &ms, why);
	if (!err)
		err = live_commit(c->live, why);
	if (err)
		return err;
	frontier_set_delay(c->frontier, ms);
	c->delay = ms;
	log_say("the delay is now %s, by the monitor", text);
	json_put_count(out, "delay_ms", (uint64_t)ms);
	return 0;
}

/* --- seeds */

/* Checks a seed before any seed is added: 0, or ERR_USAGE. */
static int check_seed(struct control *c, const char *text, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = live_seed_check(text, strlen(text), why);

	if (!err && c->settings.check_seed)
		err = c->settings.check_seed(c->settings.check_ctx, text, why);
	if (!err && url_parse(&u, text, strlen(text), NULL) == URL_OK && scope_blocks(c->scope, &u))
		err = err_set(why, ERR_USAGE, "the host of '%s' is blocked; unblock it first", text);
	url_release(&u);
	return err;
}

static int add_seed(struct control *c, const char *text, struct err_note *why)
{
	const int err = live_seed(c->live, text, strlen(text), GUARD_LISTED, why);

	discovery_paths_found(c->paths, STORE_NO_PAGE);
	return err;
}

/* Calls a function for each URL of the argument, which is a text or a list of texts. */
static int each_url(struct control *c, const json_t *urls, int (*call)(struct control *, const char *, struct err_note *),
	struct err_note *why)
{
	int err = 0;

	if (json_is_string(urls))
		return call(c, json_string_value(urls), why);
	for (size_t i = 0; !err && i < json_array_size(urls); i++)
		err = call(c, json_string_value(json_array_get(urls, i)), why);
	return err;
}

int control_seed(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const json_t *urls = json_object_get(args, "urls");
	struct frontier_counts before, after;
	int err = each_url(c, urls, check_seed, why);

	if (err)
		return err;
	frontier_count(c->frontier, &before);
	err = each_url(c, urls, add_seed, why);
	live_queue_seeds(c->live);
	if (!err)
		err = live_commit(c->live, why);
	frontier_count(c->frontier, &after);
	log_say("seeds queued by the monitor: %llu", (unsigned long long)(after.queued - before.queued));
	json_put_count(out, "queued", after.queued - before.queued);
	return err;
}

/* --- blocks */

/* Reads a host's name into *u as URLs have it: in lower case, without the default port. The store keeps the names of blocked hosts
 * with commas between them, so a name with a comma, which a URL may write as %2C, is refused. */
static int host_name(const char *text, struct url *u, struct err_note *why)
{
	struct buf url = BUF_EMPTY;
	int err = 0;

	buf_format(&url, "http://%s/", text);
	if (strpbrk(text, "/?#@, \t") || url_parse(u, url.at, url.used, NULL) != URL_OK ||
		memchr(u->text.at + u->host, ',', u->path - u->host))
		err = err_set(why, ERR_USAGE, "'%s' is no host; example.org and example.org:8080 are", text);
	buf_release(&url);
	return err;
}

/* Keeps the names of the blocked hosts as a setting, and writes the line of the log that tells of them. */
static int keep_blocks(struct control *c, struct buf *line, struct err_note *why)
{
	static const char name[] = "block-hosts";

	buf_format(line, "%s=", name);
	scope_list_blocked(c->scope, line);
	if (line->used > STORE_TEXT_MAX)
		return err_set(why, ERR_USAGE, "the names of all blocked hosts have more than %u bytes; unblock some of them first",
			STORE_TEXT_MAX);
	return store_set(c->store, name, line->at + sizeof name, why);
}

/* Judges the pages of a host by the changed scope, writes each change into the log with the line `line`, and commits. */
static int judge_pages(struct control *c, const char *name, const char *line, struct err_note *why)
{
	struct err_note none;
	uint32_t host;
	int err = 0;

	if (control_find_host(c, name, &host, &none) == 0)
		err = rescope_host(c->store, c->frontier, live_source(c->live), host, line, why);
	return err ? err : live_commit(c->live, why);
}

typedef void change_fn(struct scope *, const char *, size_t);

/* Blocks or unblocks a host; `undo` reverts the scope if the change cannot be kept in the store. The answer has the number of
 * pages that were added to the queue, or removed from it. */
static int change_block(struct control *c, const char *text, change_fn *change, change_fn *undo, json_t *out, struct err_note *why)
{
	struct frontier_counts before, after;
	struct url u = URL_EMPTY;
	struct buf line = BUF_EMPTY;
	int err = host_name(text, &u, why);

	if (!err) {
		char *name = mem_part(u.text.at + u.host, u.path - u.host);
		change(c->scope, name, strlen(name));
		frontier_count(c->frontier, &before);
		err = keep_blocks(c, &line, why);
		if (err)
			undo(c->scope, name, strlen(name));
		else
			err = judge_pages(c, name, line.at, why);
		frontier_count(c->frontier, &after);
		json_put_text(out, "host", name);
		if (after.queued >= before.queued)
			json_put_count(out, "queued", after.queued - before.queued);
		else
			json_put_count(out, "removed", before.queued - after.queued);
		free(name);
	}
	buf_release(&line);
	url_release(&u);
	return err;
}

int control_block(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *host = control_text(args, "host");
	const int err = change_block(c, host, scope_block, scope_unblock, out, why);

	if (!err)
		log_say("host %s is blocked by the monitor", host);
	return err;
}

int control_unblock(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *host = control_text(args, "host");
	const int err = change_block(c, host, scope_unblock, scope_block, out, why);

	if (!err)
		log_say("host %s is no longer blocked, by the monitor", host);
	return err;
}
