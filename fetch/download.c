#include "fetch/download.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/num.h"
#include "base/output.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES         4 /* in a row that bring no byte; and beginnings from the first byte, after the first */
#define REDIRECTS     10L
#define CONNECT_TIME  30L /* s */
#define SILENCE_TIME  60L /* s */
#define VERSION_MAX   1000
#define WHOLE         200
#define PARTIAL       206
#define NOT_THERE     404
#define TIMED_OUT     408
#define GONE          410
#define NO_SUCH_RANGE 416
#define TOO_MANY      429
#define SERVER_FAILS  500

/* A file on its way. */
struct arrival {
	const struct download *d;
	CURL *easy;
	int fd;            /* of the part */
	char *part, *of;   /* the paths of the part, and of the file that names its version */
	uint64_t have;     /* the bytes of the part */
	int beginnings;    /* from the first byte */
	uint64_t total;    /* of the whole file; 0: unknown */
	char *version;     /* of the bytes of the part, as If-Range takes it; NULL: they are of no use */
	int begun, failed; /* of this request: the first byte has found its place; an errno of the disk */
	int misplaced;     /* of this request: the answer has other bytes than were asked for */
};

static long status_of(const struct arrival *a)
{
	long status = 0;

	curl_easy_getinfo(a->easy, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

/* Returns the value of a header of the last answer, or NULL. */
static const char *header_of(const struct arrival *a, const char *name)
{
	struct curl_header *header;

	return curl_easy_header(a->easy, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

/* Reads Content-Range: "bytes 100-199/200" gives the first byte, and the size; what is missing or an asterisk gives 0. */
static void range_of(const struct arrival *a, uint64_t *first, uint64_t *size)
{
	const char *value = header_of(a, "Content-Range"), *slash = value ? strchr(value, '/') : NULL;
	unsigned long long from = 0;

	*first = value && sscanf(value, "%*s %llu-", &from) == 1 ? from : 0;
	*size = 0;
	if (slash && num_count(slash + 1, INT64_MAX, size))
		*size = 0;
}

static int is_of(const char *value)
{
	return value && *value && strlen(value) < VERSION_MAX;
}

/* Notes the version of the answer's bytes: a strong ETag, or else the date of the last change. */
static void note_version(struct arrival *a)
{
	const char *etag = header_of(a, "ETag"), *changed = header_of(a, "Last-Modified");
	const char *version = is_of(etag) && *etag == '"' ? etag : is_of(changed) ? changed : NULL;
	struct output *out;

	free(a->version);
	a->version = version ? strdup(version) : NULL;
	unlink(a->of);
	if (version && output_open(&out, a->of, NULL) == 0) {
		output_text(out, version);
		output_text(out, "\n");
		if (output_close(out, NULL))
			unlink(a->of); /* without it the next call begins from the first byte */
	}
}

/* Empties the part. */
static int begin_again(struct arrival *a)
{
	a->have = 0;
	a->beginnings++;
	return ftruncate(a->fd, 0) || lseek(a->fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* Finds the place of the answer's first byte. */
static int place(struct arrival *a)
{
	uint64_t first, size;
	curl_off_t length = -1;

	a->begun = 1;
	range_of(a, &first, &size);
	if (status_of(a) == PARTIAL) {
		a->misplaced = first != a->have;
		a->total = size;
		return a->misplaced ? -1 : 0;
	}
	curl_easy_getinfo(a->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	a->total = length > 0 ? (uint64_t)length : 0;
	if (begin_again(a)) {
		a->failed = errno;
		return -1;
	}
	note_version(a);
	return 0;
}

static size_t on_bytes(char *bytes, size_t size, size_t n, void *with)
{
	struct arrival *a = with;

	n *= size;
	if (status_of(a) != WHOLE && status_of(a) != PARTIAL)
		return n; /* the page of an error */
	if (!a->begun && place(a))
		return CURL_WRITEFUNC_ERROR;
	for (size_t done = 0; done < n;) {
		const ssize_t wrote = write(a->fd, bytes + done, n - done);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			a->failed = wrote < 0 ? errno : ENOSPC;
			return CURL_WRITEFUNC_ERROR;
		}
		done += (size_t)wrote;
		a->have += (size_t)wrote;
	}
	return n;
}

static int on_progress(void *with, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up)
{
	const struct arrival *a = with;

	(void)total, (void)now, (void)up_total, (void)up;
	if (a->d->progress)
		a->d->progress(a->d->with, a->have, a->total);
	return 0;
}

/* Opens the part, and the name of its version. */
static int open_part(struct arrival *a, struct err_note *why)
{
	struct buf path = BUF_EMPTY;
	struct input *in;
	struct stat st;
	size_t length;
	char *line;

	buf_format(&path, "%s.part", a->d->path);
	a->part = buf_take(&path);
	buf_format(&path, "%s.part.of", a->d->path);
	a->of = buf_take(&path);
	a->fd = open(a->part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (a->fd < 0 || fstat(a->fd, &st))
		return err_set(why, ERR_FILE, "cannot write '%s': %s", a->part, ascii_error(errno));
	a->have = (uint64_t)st.st_size;
	if (a->have && access(a->of, R_OK) == 0 && input_open(&in, a->of, NULL) == 0) {
		if (input_line(in, &line, &length, NULL) > 0 && is_of(line))
			a->version = strdup(line);
		input_close(in);
	}
	if (!a->version)
		a->have = 0;
	if (lseek(a->fd, (off_t)a->have, SEEK_SET) < 0)
		return err_set(why, ERR_FILE, "cannot write '%s': %s", a->part, ascii_error(errno));
	return 0;
}

/* Sends one request, and takes its answer as far as it comes. */
static CURLcode request(struct arrival *a)
{
	struct curl_slist *headers = NULL;
	struct buf line = BUF_EMPTY;

	a->begun = a->misplaced = 0;
	a->total = 0;
	if (a->have) {
		buf_format(&line, "Range: bytes=%llu-", (unsigned long long)a->have);
		headers = curl_slist_append(headers, line.at);
		buf_clear(&line);
		buf_format(&line, "If-Range: %s", a->version);
		headers = curl_slist_append(headers, line.at);
		buf_release(&line);
	}
	curl_easy_setopt(a->easy, CURLOPT_HTTPHEADER, headers);
	const CURLcode code = curl_easy_perform(a->easy);
	curl_easy_setopt(a->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	return code;
}

/* Says what is next: 1 for another request, 0 for a whole file, or an error. *fault is what went wrong. */
static int judge(struct arrival *a, CURLcode code, struct err_note *fault)
{
	const long status = status_of(a);
	const char *url = a->d->url;
	uint64_t first, size;

	if (a->failed)
		return err_set(fault, ERR_FILE, "cannot write '%s': %s", a->part, ascii_error(a->failed));
	if (status == NO_SUCH_RANGE && a->have) {
		range_of(a, &first, &size);
		if (size == a->have)
			return 0;
		err_set(fault, ERR_FORMAT, "%s has %llu bytes, of which %llu were there", url, (unsigned long long)size,
			(unsigned long long)a->have);
		a->failed = begin_again(a) ? errno : 0;
		return 1;
	}
	if (a->misplaced) {
		err_set(fault, ERR_FORMAT, "%s answers with bytes that were not asked for", url);
		a->failed = begin_again(a) ? errno : 0;
		return 1;
	}
	if (status == NOT_THERE || status == GONE)
		return err_set(fault, ERR_NOTHING, "%s is not there (status %ld)", url, status);
	if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT || code == CURLE_TOO_MANY_REDIRECTS)
		return err_set(fault, ERR_FILE, "cannot fetch %s: %s", url, curl_easy_strerror(code));
	if (code != CURLE_OK) {
		err_set(fault, ERR_UNREACHABLE, "%s: %s", url, curl_easy_strerror(code));
		return 1;
	}
	if (status == WHOLE || status == PARTIAL) {
		if (!a->begun && place(a)) /* an empty file */
			return err_set(fault, ERR_FILE, "cannot write '%s': %s", a->part, ascii_error(a->failed));
		err_set(fault, ERR_UNREACHABLE, "%s ended after %llu of %llu bytes", url, (unsigned long long)a->have,
			(unsigned long long)a->total);
		return a->total && a->have != a->total;
	}
	err_set(fault, ERR_UNREACHABLE, "%s answers with status %ld", url, status);
	return status >= SERVER_FAILS || status == TIMED_OUT || status == TOO_MANY ? 1 : ERR_FILE;
}

/* Sends requests until the part is whole. */
static int fill(struct arrival *a, struct err_note *why)
{
	struct err_note fault = {""};
	int next = 1;

	for (int tries = 0; next == 1 && tries < TRIES && a->beginnings <= TRIES;) {
		const uint64_t before = a->have;
		next = judge(a, request(a), &fault);
		tries = a->have > before ? 0 : tries + 1;
		if (next == 1 && tries && tries < TRIES)
			sleep(1u << (tries - 1));
	}
	if (next == 1)
		return err_set(why, ERR_UNREACHABLE, "%s; given up; what has come is kept, and the same command goes on",
			fault.text);
	return next ? err_set(why, (enum err)next, "%s", fault.text) : 0;
}

static void set_options(struct arrival *a)
{
	curl_easy_setopt(a->easy, CURLOPT_URL, a->d->url);
	curl_easy_setopt(a->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(a->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(a->easy, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(a->easy, CURLOPT_MAXREDIRS, REDIRECTS);
	curl_easy_setopt(a->easy, CURLOPT_CONNECTTIMEOUT, CONNECT_TIME);
	curl_easy_setopt(a->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(a->easy, CURLOPT_LOW_SPEED_TIME, SILENCE_TIME);
	curl_easy_setopt(a->easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(a->easy, CURLOPT_USERAGENT, "lycosa");
	curl_easy_setopt(a->easy, CURLOPT_WRITEFUNCTION, on_bytes);
	curl_easy_setopt(a->easy, CURLOPT_WRITEDATA, a);
	curl_easy_setopt(a->easy, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(a->easy, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(a->easy, CURLOPT_XFERINFODATA, a);
}

/* Gives the part the name of the file. */
static int name_it(const struct arrival *a, struct err_note *why)
{
	if (lasting_bytes(a->fd) || rename(a->part, a->d->path) || lasting_name(a->d->path))
		return err_set(why, ERR_FILE, "cannot write '%s': %s", a->d->path, ascii_error(errno));
	unlink(a->of);
	return 0;
}

int download_file(const struct download *d, struct err_note *why)
{
	struct arrival a = {.d = d, .fd = -1, .easy = curl_easy_init()};

	if (!a.easy)
		abort(); /* out of memory */
	int err = open_part(&a, why);
	if (!err) {
		set_options(&a);
		err = fill(&a, why);
	}
	if (!err)
		err = name_it(&a, why);
	if (a.fd >= 0)
		close(a.fd);
	if (err && !a.have) { /* nothing to go on from */
		unlink(a.part);
		unlink(a.of);
	}
	curl_easy_cleanup(a.easy);
	free(a.part);
	free(a.of);
	free(a.version);
	return err;
}
