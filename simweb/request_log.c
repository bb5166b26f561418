#include "simweb/request_log.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request_log {
	FILE *file;
	pthread_mutex_t lock;
};

int request_log_open(struct request_log **out, const char *path, struct err_note *why)
{
	FILE *file = fopen(path, "we");

	*out = NULL;
	if (!file)
		return err_set(why, ERR_FILE, "cannot write '%s': %s", path, ascii_error(errno));
	/* line-buffered, so that another program can read each line as soon as it is complete */
	setvbuf(file, NULL, _IOLBF, BUFSIZ);
	*out = mem_zero(1, sizeof **out);
	(*out)->file = file;
	pthread_mutex_init(&(*out)->lock, NULL);
	return 0;
}

void request_log_close(struct request_log *l)
{
	if (!l)
		return;
	fclose(l->file);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static void add_word(struct buf *line, const char *text)
{
	if (!text || !*text)
		text = "-";
	for (; *text; text++)
		buf_byte(line, *text > ' ' && *text != 127 ? *text : '?');
	buf_byte(line, '\t');
}

void request_log_add(struct request_log *l, const struct request_line *r)
{
	struct buf line = BUF_EMPTY;

	buf_format(&line, "%lld\t%lld\t", (long long)(r->begin / 1000), (long long)(r->answer / 1000));
	add_word(&line, r->address);
	add_word(&line, r->host);
	add_word(&line, r->target);
	buf_format(&line, "%s\t%u\t", r->ok ? "ok" : "broken", r->status);
	if (r->retry_after >= 0)
		buf_format(&line, "%lld\n", (long long)r->retry_after);
	else
		buf_text(&line, "-\n");
	pthread_mutex_lock(&l->lock);
	fwrite(line.at, 1, line.used, l->file);
	pthread_mutex_unlock(&l->lock);
	buf_release(&line);
}
