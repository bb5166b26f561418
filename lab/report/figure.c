#include "lab/report/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20) /* of a drawing */

void figure_escape(struct buf *html, const char *text)
{
	while (*text) {
		size_t n = err_printable(text);
		if (*text == '<')
			buf_text(html, "&lt;");
		else if (*text == '>')
			buf_text(html, "&gt;");
		else if (*text == '&')
			buf_text(html, "&amp;");
		else if (*text == '"')
			buf_text(html, "&quot;");
		else if (n)
			buf_add(html, text, n);
		else
			buf_text(html, "&#xfffd;");
		text += n ? n : 1;
	}
}

void figure_quote(struct buf *script, const char *text)
{
	buf_byte(script, '\'');
	while (*text) {
		size_t n = err_printable(text);
		if (*text == '\'')
			buf_text(script, "''");
		else if (n)
			buf_add(script, text, n);
		else
			buf_byte(script, '?');
		text += n ? n : 1;
	}
	buf_byte(script, '\'');
}

/* Files rather than pipes: neither side can wait for the other. */
static int run(FILE *script, FILE *drawing, struct err_note *why)
{
	char program[] = "gnuplot", defaults[] = "-d", locale[] = "LC_ALL=C";
	char *const argv[] = {program, defaults, NULL};
	posix_spawn_file_actions_t files;
	const char *path = getenv("PATH");
	struct buf where = BUF_EMPTY;
	pid_t pid;
	int status = -1;

	/* no GNUTERM, no locale of the user's */
	buf_format(&where, "PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
	char *const environment[] = {where.at, locale, NULL};
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, fileno(drawing), STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int err = posix_spawnp(&pid, program, &files, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&files);
	buf_release(&where);
	while (!err && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!err && WIFEXITED(status) && WEXITSTATUS(status) == 127)
		err = ENOENT; /* POSIX lets the child be the one to find out */
	if (err)
		return err_set(why, ERR_OTHER, "gnuplot: %s (Debian: apt-get install gnuplot-nox)",
			strerror(err));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0
		       ? 0
		       : err_set(why, ERR_FORMAT, "gnuplot ended with an error");
}

static int read_all(FILE *f, struct buf *out)
{
	char bytes[1 << 14];
	size_t n;

	rewind(f);
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0 && out->used <= MOST_BYTES)
		buf_add(out, bytes, n);
	return ferror(f) || out->used > MOST_BYTES ? -1 : 0;
}

/* The element, its head replaced by one that needs no namespace. 0 or -1. */
static int embed(struct buf *svg, const char *drawing, const char *label)
{
	const char *head = strstr(drawing, "<svg"), *box = head ? strstr(head, "viewBox=\"") : NULL;
	const char *body = box ? strstr(box, "</desc>") : NULL; /* behind its own title */
	const char *end = body ? strstr(body, "</svg>") : NULL;

	if (!end)
		return -1;
	box += strlen("viewBox=\"");
	body += strlen("</desc>");
	buf_format(svg, "<svg viewBox=\"%.*s\" role=\"img\" aria-label=\"", (int)strcspn(box, "\""),
		box);
	figure_escape(svg, label);
	buf_text(svg, "\">");
	buf_add(svg, body, (size_t)(end - body));
	buf_text(svg, "</svg>\n");
	return 0;
}

int figure_draw(struct buf *svg, const struct buf *script, const char *label, struct err_note *why)
{
	FILE *in = tmpfile(), *out = tmpfile();
	struct buf drawing = BUF_EMPTY;
	int err = 0;

	if (!in || !out || fwrite(script->at, 1, script->used, in) != script->used || fflush(in)) {
		err = err_set(why, ERR_OTHER, "no room for a script: %s", strerror(errno));
	} else {
		rewind(in);
		err = run(in, out, why);
	}
	if (!err && (read_all(out, &drawing) || !drawing.used || embed(svg, drawing.at, label)))
		err = err_set(why, ERR_FORMAT, "gnuplot drew nothing");
	buf_release(&drawing);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	return err;
}
