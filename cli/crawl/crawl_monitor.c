#include "cli/crawl/crawl_monitor.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/crawl/crawl_seeds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define TOKEN_MAX   4096 /* bytes of the file of a token */
#define TOKEN_LEAST 16   /* characters of a token */
#define TOKEN_BYTES 16   /* of a token that is made */

/* --- the token */

/* Reads a token, the first line of a file, into *token. Returns 0, ERR_FORMAT if it is shorter than TOKEN_LEAST, or an error of
 * input_all(). */
static int read_token(const char *path, char **token, struct err_note *why)
{
	char *bytes;
	size_t n;
	int err = input_all(path, TOKEN_MAX, &bytes, &n, why);

	if (err)
		return err;
	size_t length = 0;
	while (length < n && bytes[length] > ' ' && bytes[length] < 127)
		length++;
	if (length >= TOKEN_LEAST && (length == n || bytes[length] == '\n' || bytes[length] == '\r'))
		*token = mem_part(bytes, length);
	else
		err = err_set(why, ERR_FORMAT,
			"--monitor-token '%s': its first line is no token, which has at least %d letters and digits", path,
			TOKEN_LEAST);
	free(bytes);
	return err;
}

static int make_token(char **token, struct err_note *why)
{
	unsigned char bytes[TOKEN_BYTES];
	struct buf text = BUF_EMPTY;

	if (getentropy(bytes, sizeof bytes))
		return err_set(why, ERR_OTHER, "cannot make a token: %s", ascii_error(errno));
	for (size_t i = 0; i < sizeof bytes; i++)
		buf_format(&text, "%02x", bytes[i]);
	*token = buf_take(&text);
	return 0;
}

/* --- seeds */

/* Checks a seed that is added through the monitor as one of the command line is checked. */
static int check_seed(const void *ctx, const struct url *url, struct err_note *why)
{
	return crawl_seeds_check(ctx, url, 1, why);
}

/* --- the file */

static int write_file(struct crawl_monitor *m, struct err_note *why)
{
	struct buf path = buf_of("%s/" CRAWL_MONITOR_FILE, m->dir);
	AUTO(buf) text = buf_of("%s\n%s\n", monitor_url(m->server), m->token ? m->token : "");

	m->file = buf_take(&path);
	unlink(m->file); /* of a crawl that was killed; a new file has the mode below */
	const int fd = open(m->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	const int failed = fd < 0 || write(fd, text.at, text.used) != (ssize_t)text.used;
	const int err = failed ? err_set(why, ERR_FILE, "cannot write '%s': %s", m->file, ascii_error(errno)) : 0;
	if (fd >= 0)
		close(fd);
	return err;
}

/* --- opening and closing */

int crawl_monitor_open(struct crawl_monitor *m, const struct control_settings *settings, struct metrics *metrics,
	struct err_note *why)
{
	const struct live_config *config = &settings->decision->config;
	struct control_settings own = *settings;
	const int is_made = !config->monitor_token;

	TRY(is_made ? make_token(&m->token, why) : read_token(config->monitor_token, &m->token, why));
	m->dir = settings->stop ? settings->dir : NULL;
	own.check_seed = check_seed;
	own.check_ctx = config;
	m->control = control_new(&own);
	TRY(monitor_new(&m->server,
		&(struct monitor_settings){.flag = "--monitor",
			.at = config->monitor,
			.metrics = metrics,
			.control = m->control,
			.token = m->token},
		why));
	log_say("monitor at %s/%s%s", monitor_url(m->server), is_made ? "#" : "", is_made ? m->token : "");
	return 0;
}

int crawl_monitor_begin(struct crawl_monitor *m, struct live *live, struct err_note *why)
{
	int err = control_begin(m->control, live, why);

	/* a store that is only viewed is not written to */
	return err || !m->dir ? err : write_file(m, why);
}

void crawl_monitor_close(struct crawl_monitor *m)
{
	if (m->control)
		control_end(m->control);
	if (m->file)
		unlink(m->file);
	monitor_free(m->server);
	control_free(m->control);
	free(m->file);
	free(m->token);
	*m = (struct crawl_monitor){.control = NULL};
}
