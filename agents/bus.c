#include "agents/bus.h"

#ifdef HAVE_NATS

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MADE_MS        3000 /* a stream that another agent makes is looked for so long */
#define LOOK_MS        50   /* between two looks */
#define CONNECTIONS    3    /* that are tried */
#define LIBRARY_END_MS 2000
#define PENDING_MOST   4096        /* letters that were taken and not acknowledged */
#define WATCH_MS       1           /* nats takes no 0 */
#define ACK_WAIT_NS    10000000000 /* after which a letter that was taken and not acknowledged comes again */
#define HEAD_MOST      256         /* bytes of a message's headers, which count for the server, too */

struct bus {
	struct bus_url url;
	natsConnection *connection;
	jsCtx *js;
	kvStore *bucket;
	natsSubscription *watch, *letters;
	int64_t wait;     /* see bus_wait_at_most() */
	int64_t replicas; /* 0: as they are */
	/* answers have the subjects ANSWER_BOX.NUMBER */
	natsSubscription *answers; /* NULL before the first question */
	char answer_box[64];
	uint64_t asked, answered;    /* the number of the last question, and of the last one of earlier rounds */
	char name[BUS_NAME_MAX + 8]; /* of bucket and stream */
};

/* The answer to a question: `result` is 1, and the message has this number; 0, and another message is the last; or an error, after
 * which the message may have been added or not; ERR_TOO_BIG: the stream does not take so large a message, and has not added it. */
struct bus_answer {
	int result;
	uint64_t number;
	int is_there; /* private */
};

/* --- streams */

/* Returns what the library said last in this thread, or what a status means. The place in the library's source that stands before
 * it is left out: "(js.c:535): insufficient resources". */
static const char *bus_last_words(natsStatus status)
{
	const char *more = nats_GetLastError(NULL), *behind;

	if (!more || !*more)
		return natsStatus_GetText(status);
	behind = *more == '(' ? strstr(more, "): ") : NULL;
	return behind ? behind + 3 : more;
}

/* Sets the note "cannot WHAT at the NATS server: WORDS". Returns ERR_UNREACHABLE. */
static int bus_refused(const struct bus *b, const char *what, const char *words, struct err_note *why)
{
	const int is_full = strstr(words, "insufficient") || strstr(words, "maximum bytes exceeded");

	return err_set(why, ERR_UNREACHABLE, "cannot %s at the NATS server %s: %s%s", what, b->url.place, words,
		is_full ? "; its disk, or what its settings allow of it, is full" : "");
}

/* Does the same with the words of a status of the library. */
static int bus_unreachable(const struct bus *b, const char *what, natsStatus status, struct err_note *why)
{
	return bus_refused(b, what, bus_last_words(status), why);
}

static int has_subject(const jsStreamInfo *info, const char *subject)
{
	for (int i = 0; i < info->Config->SubjectsLen; i++)
		if (!strcmp(info->Config->Subjects[i], subject))
			return 1;
	return 0;
}

/* Returns NATS_OK if the stream is there and takes the subject; NATS_NOT_FOUND if it is not there, even after a while; or
 * NATS_ERR. */
static natsStatus look_for(struct bus *b, const char *stream, const char *subject)
{
	const int64_t until = clock_ms() + MADE_MS;

	for (;;) {
		jsStreamInfo *info = NULL;
		natsStatus s = js_GetStreamInfo(&info, b->js, stream, NULL, NULL);
		if (s == NATS_OK && !has_subject(info, subject))
			s = NATS_ERR;
		jsStreamInfo_Destroy(info);
		if (s != NATS_NOT_FOUND || clock_ms() >= until)
			return s;
		nats_Sleep(LOOK_MS);
	}
}

/* Makes a stream. It is no error if the server answers that the name is in use or that the subjects overlap with another stream's,
 * and a stream of this name takes the first of the subjects: another agent has made it in the same moment, or an agent of another
 * version with other limits. *code is the server's error. */
static natsStatus bus_make_stream(struct bus *b, jsStreamConfig *c, jsErrCode *code)
{
	natsStatus s = js_AddStream(NULL, b->js, c, NULL, code);

	if (s != NATS_OK && (*code == JSStreamNameExistErr || *code == JSStreamSubjectOverlapErr) &&
		look_for(b, c->Name, c->Subjects[0]) == NATS_OK)
		s = NATS_OK;
	return s;
}

/* Lets as many servers of a cluster keep a stream as the user wishes, if it is there. Returns 0 or an error. */
static int keep_replicas(struct bus *b, const char *before, const char *behind, struct err_note *why)
{
	char stream[BUS_NAME_MAX + 16];
	jsStreamInfo *info = NULL;

	snprintf(stream, sizeof stream, "%s%s%s", before, b->name, behind);
	natsStatus s = b->replicas ? js_GetStreamInfo(&info, b->js, stream, NULL, NULL) : NATS_NOT_FOUND;

	/* a server alone takes the number, and keeps one copy; nats-server 2.9 names no cluster then, 2.10 one without a name */
	const int is_alone = s == NATS_OK && b->replicas > 1 && !(info->Cluster && info->Cluster->Name && *info->Cluster->Name);
	if (s == NATS_OK && !is_alone && info->Config->Replicas != b->replicas) {
		info->Config->Replicas = b->replicas;
		s = js_UpdateStream(NULL, b->js, info->Config, NULL, NULL);
	}
	jsStreamInfo_Destroy(info);
	if ((s == NATS_OK || s == NATS_NOT_FOUND) && !is_alone)
		return 0;
	if (s != NATS_OK && s != NATS_ERR) /* it has not answered */
		return bus_unreachable(b, "keep the crawl on several servers", s, why);
	return err_set(why, ERR_USAGE, "--nats-replicas: the NATS server %s cannot keep the crawl on %d servers: %s", b->url.place,
		(int)b->replicas, is_alone ? "it is alone, and has no cluster" : bus_last_words(s));
}

/* Reads the last message of a subject of a stream: its bytes into *out, its *number and when it was written, in ms since 1970.
 * Returns 1; 0 if there is none, or it says that a key was deleted; or an error. *number is 0 if there is none. */
static int bus_last(struct bus *b, const char *stream, const char *subject, const char *what, struct buf *out, uint64_t *number,
	int64_t *time, struct err_note *why)
{
	const char *operation;
	natsMsg *m = NULL;
	const natsStatus s = js_GetLastMsg(&m, b->js, stream, subject, NULL, NULL);

	buf_clear(out);
	*number = 0;
	if (s == NATS_NOT_FOUND)
		return 0;
	if (s != NATS_OK)
		return bus_unreachable(b, what, s, why);
	const int is_deleted = natsMsgHeader_Get(m, "KV-Operation", &operation) == NATS_OK;
	buf_add(out, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m));
	*number = natsMsg_GetSequence(m);
	*time = natsMsg_GetTime(m) / 1000000;
	natsMsg_Destroy(m);
	return !is_deleted;
}

/* --- answers: values that a stream takes if the value before them is the one that the caller knows, many in one wait
 *
 *	natsStatus s = bus_ask_begin(b);
 *	for (i = 0; s == NATS_OK && i < n; i++)
 *		s = bus_ask(b, subject[i], bytes[i], length[i], last[i]);
 *	err = bus_answers(b, s, answers, n, "write a key", why);
 *
 * What costs is not a message but the wait for its answer: in it the server, the library's threads and the caller's thread each
 * wake once, whether one message travels or hundreds. */

/* Begins a round of questions. */
static natsStatus bus_ask_begin(struct bus *b)
{
	char subject[sizeof b->answer_box + 4];
	natsInbox *box = NULL;

	b->answered = b->asked;
	if (b->answers)
		return NATS_OK;
	natsStatus s = natsInbox_Create(&box);
	if (s == NATS_OK) {
		snprintf(b->answer_box, sizeof b->answer_box, "%s", box);
		snprintf(subject, sizeof subject, "%s.*", b->answer_box);
		s = natsConnection_SubscribeSync(&b->answers, b->connection, subject);
	}
	natsInbox_Destroy(box);
	return s;
}

/* Sends n bytes to a subject of a stream, which adds them if the number of its last message with this subject is `last`; 0: if it
 * has none. */
static natsStatus bus_ask(struct bus *b, const char *subject, const void *bytes, size_t n, uint64_t last)
{
	char box[sizeof b->answer_box + 24], text[24];
	natsMsg *message = NULL;

	snprintf(box, sizeof box, "%s.%" PRIu64, b->answer_box, ++b->asked);
	snprintf(text, sizeof text, "%" PRIu64, last);
	natsStatus s = natsMsg_Create(&message, subject, box, bytes, (int)n);
	if (s == NATS_OK)
		s = natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", text);
	if (s == NATS_OK)
		s = natsConnection_PublishMsg(b->connection, message);
	natsMsg_Destroy(message);
	return s;
}

/* Reads the server's answer: {"stream":"...","seq":912}, or {"error":{"code":400,"err_code":10071,"description":"..."} ...}; it has
 * no text if JetStream does not run. */
static void read_answer(const struct bus *b, natsMsg *answer, struct bus_answer *out, const char *what, struct err_note *why)
{
	static const char described[] = "\"description\":\"";
	char text[512];
	unsigned code = 0;

	snprintf(text, sizeof text, "%.*s", natsMsg_GetDataLength(answer), natsMsg_GetData(answer));
	const char *error = strstr(text, "\"err_code\":"), *number = strstr(text, "\"seq\":");
	char *words = strstr(text, described);
	if (!error && number && sscanf(number, "\"seq\":%" SCNu64, &out->number) == 1) {
		out->result = 1;
	} else if (error && sscanf(error, "\"err_code\":%u", &code) == 1 && code == JSStreamWrongLastSequenceErr) {
		out->result = 0;
	} else if (error && code == JSStreamMessageExceedsMaximumErr) {
		out->result = err_set(why, ERR_TOO_BIG,
			"cannot %s at the NATS server %s: the message is larger than the stream takes", what, b->url.place);
	} else {
		if (words)
			words[strlen(described) + strcspn(words + strlen(described), "\"")] = 0;
		out->result = bus_refused(b, what, words ? words + strlen(described) : "JetStream does not answer", why);
	}
}

/* Waits for the answers. Those to earlier messages, for which nobody waits any more, are passed over. */
static natsStatus collect(struct bus *b, struct bus_answer *out, size_t count, const char *what, struct err_note *why)
{
	natsStatus s = NATS_OK;

	for (size_t left = count; left && s == NATS_OK;) {
		natsMsg *answer = NULL;
		s = natsSubscription_NextMsg(&answer, b->answers, b->wait);
		if (s != NATS_OK)
			break;
		const uint64_t place = strtoull(strrchr(natsMsg_GetSubject(answer), '.') + 1, NULL, 10) - b->answered - 1;
		if (place < count && !out[place].is_there) {
			out[place].is_there = 1;
			read_answer(b, answer, &out[place], what, why);
			left--;
		}
		natsMsg_Destroy(answer);
	}
	return s;
}

/* Waits for the answers to the `count` questions of the round; `s` is the status of their sending. Returns 0 or the first error. */
static int bus_answers(struct bus *b, natsStatus s, struct bus_answer *out, size_t count, const char *what, struct err_note *why)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (struct bus_answer){.result = ERR_UNREACHABLE};
	if (s == NATS_OK)
		s = collect(b, out, count, what, why);
	if (s != NATS_OK)
		return bus_unreachable(b, what, s, why);
	for (size_t i = 0; i < count; i++)
		if (out[i].result < 0)
			return out[i].result;
	return 0;
}

static int refused(const char *what, natsStatus s, struct err_note *why)
{
	return err_set(why, ERR_USAGE, "--join: the library for NATS does not take this %s: %s", what, bus_last_words(s));
}

/* Returns the error for a file that the NATS library cannot use. */
static int useless(const char *file, const char *what, natsStatus status, struct err_note *why)
{
	return err_set(why, access(file, R_OK) ? ERR_FILE : ERR_USAGE, "cannot use '%s' as %s for the NATS server: %s", file, what,
		access(file, R_OK) ? ascii_error(errno) : bus_last_words(status));
}

static int set_tls(natsOptions *o, const struct bus_url *url, const struct bus_access *a, struct err_note *why)
{
	natsStatus s;

	if ((a->cert == NULL) != (a->key == NULL))
		return err_set(why, ERR_USAGE,
			"a certificate for the NATS server needs its key, and the key a certificate: give both");
	if ((url->is_tls || a->cacert || a->cert) && (s = natsOptions_SetSecure(o, true)) != NATS_OK)
		return refused("TLS", s, why);
	if (a->cacert && (s = natsOptions_LoadCATrustedCertificates(o, a->cacert)) != NATS_OK)
		return useless(a->cacert, "certificates to trust", s, why);
	if (a->cert && (s = natsOptions_LoadCertificatesChain(o, a->cert, a->key)) != NATS_OK)
		return useless(a->cert, "certificate, with that key,", s, why);
	return 0;
}

static int set_user(natsOptions *o, const struct bus_url *url, const struct bus_access *a, struct err_note *why)
{
	char public[NKEY_PUBLIC];
	natsStatus s = NATS_OK;

	if (a->creds && (s = natsOptions_SetUserCredentialsFromFiles(o, a->creds, NULL)) != NATS_OK)
		return useless(a->creds, "credentials", s, why);
	if (a->creds && access(a->creds, R_OK)) /* the library would look later */
		return useless(a->creds, "credentials", s, why);
	if (a->nkey && !a->creds) {
		const int err = nkey_read_public(a->nkey, public, why);
		if (err)
			return err;
		s = natsOptions_SetNKeyFromSeed(o, public, a->nkey);
	}
	if (s == NATS_OK && a->user && !url->has_user)
		s = natsOptions_SetUserInfo(o, a->user, a->password ? a->password : "");
	return s == NATS_OK ? 0 : refused("credentials", s, why);
}

/* The library of newer versions prints errors to stderr itself unless it is given such a function. What waits for an answer says
 * why there is none. */
static void is_quiet(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *ctx)
{
	(void)connection, (void)subscription, (void)status, (void)ctx;
}

static natsStatus set_times(natsOptions *o, const struct bus_url *url)
{
	natsStatus s = natsOptions_SetURL(o, url->server);

	s = s ? s : natsOptions_SetErrorHandler(o, is_quiet, NULL);
	s = s ? s : natsOptions_SetTimeout(o, BUS_CONNECT_MS);
	s = s ? s : natsOptions_SetMaxReconnect(o, -1);
	s = s ? s : natsOptions_SetReconnectWait(o, 200);
	s = s ? s : natsOptions_SetFailRequestsOnDisconnect(o, true);
	s = s ? s : natsOptions_SetPingInterval(o, 2000);
	return s;
}

/* Makes the options, which the caller frees by natsOptions_Destroy() in each case. A connection that is lost is made again for as
 * long as it takes. Returns 0; ERR_FILE for a file that cannot be read; or ERR_USAGE for one that is of no use. */
static int bus_options(natsOptions **out, const struct bus_url *url, const struct bus_access *a, struct err_note *why)
{
	natsStatus s = natsOptions_Create(out);

	if (s == NATS_OK)
		s = set_times(*out, url);
	int err = s == NATS_OK ? set_tls(*out, url, a, why) : refused("URL", s, why);
	if (!err)
		err = set_user(*out, url, a, why);
	return err;
}

/* Says whether another connection may succeed where one ended so. An agent with credentials or an nkey proves who it is by signing
 * a nonce of the server. libnats 3.4 leaves out a signature whose first byte is 0, as one in 256 is, and the server refuses the
 * agent; with another nonce it may not. And a server ends a connection whose agent does not say within two seconds who it is, as
 * one does not on a busy machine. */
static int is_worth_another(natsStatus s, const struct bus_access *a)
{
	switch (s) {
	case NATS_CONNECTION_AUTH_FAILED:
		return a->creds || a->nkey;
	case NATS_TIMEOUT:
	case NATS_IO_ERROR:
	case NATS_PROTOCOL_ERROR:
	case NATS_CONNECTION_CLOSED:
		return 1;
	default:
		return 0;
	}
}

/* Connects with these options. Returns the status of the last try. */
static natsStatus bus_connect(natsConnection **connection, natsOptions *options, const struct bus_access *a)
{
	natsStatus s = natsConnection_Connect(connection, options);

	for (int again = 1; again < CONNECTIONS && is_worth_another(s, a); again++)
		s = natsConnection_Connect(connection, options);
	return s;
}

/* --- opening and closing */

static int connect_to(struct bus *b, const struct bus_access *a, struct err_note *why)
{
	natsOptions *options = NULL;
	natsStatus s = NATS_OK;
	int err = bus_options(&options, &b->url, a, why);

	if (!err)
		s = bus_connect(&b->connection, options, a);
	natsOptions_Destroy(options);
	return err || s == NATS_OK ? err : bus_unreachable(b, "connect", s, why);
}

/* Makes the context of JetStream, whose calls wait for b->wait ms. */
static natsStatus make_context(const struct bus *b, jsCtx **js)
{
	jsOptions options;
	natsStatus s = jsOptions_Init(&options);

	options.Wait = b->wait;
	return s == NATS_OK ? natsConnection_JetStream(js, b->connection, &options) : s;
}

/* Letters are kept in the server's memory, and no confirmation is asked for: the sender keeps each letter until its receiver has
 * committed it (agents/post.h), so what the server loses comes again. A letter that its receiver has acknowledged is dropped. */
static natsStatus make_stream(struct bus *b)
{
	char subject[BUS_NAME_MAX + 16];
	const char *subjects[] = {subject};
	jsStreamConfig c;
	jsStreamInfo *info = NULL;
	jsErrCode code = (jsErrCode)0;
	natsStatus s = js_GetStreamInfo(&info, b->js, b->name, NULL, NULL);

	jsStreamInfo_Destroy(info);
	if (s != NATS_NOT_FOUND)
		return s;
	snprintf(subject, sizeof subject, "lycosa.%s.to.*", b->url.name);
	jsStreamConfig_Init(&c);
	c.Name = b->name;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.Retention = js_InterestPolicy;
	c.Storage = js_MemoryStorage;
	c.MaxBytes = BUS_STREAM_MOST;
	c.Discard = js_DiscardNew;
	s = bus_make_stream(b, &c, &code);
	if (s == NATS_OK || (code != JSMemoryResourcesExceededErr && code != JSInsufficientResourcesErr))
		return s;
	c.MaxBytes = -1; /* the server has less in all, and keeps to that */
	return bus_make_stream(b, &c, &code);
}

static natsStatus make_bucket(struct bus *b)
{
	kvConfig c;
	natsStatus s = js_KeyValue(&b->bucket, b->js, b->name);

	if (s != NATS_NOT_FOUND)
		return s;
	kvConfig_Init(&c);
	c.Bucket = b->name;
	c.History = 1;
	c.StorageType = js_FileStorage;
	c.Replicas = (int)b->replicas;
	s = js_CreateKeyValue(&b->bucket, b->js, &c);
	c.Replicas = 1; /* keep_replicas() says why the server keeps no more */
	return s != NATS_OK && b->replicas > 1 ? js_CreateKeyValue(&b->bucket, b->js, &c) : s;
}

int bus_open(struct bus **out, const char *url, const struct bus_access *a, struct err_note *why)
{
	struct bus *b = mem_zero(1, sizeof *b);
	int err = bus_url_read(&b->url, url, why);
	natsStatus s = NATS_OK;

	*out = NULL;
	b->wait = BUS_FIRST_WAIT_MS;
	b->replicas = (int64_t)a->replicas;
	snprintf(b->name, sizeof b->name, "lycosa-%s", b->url.name);
	if (!err)
		err = connect_to(b, a, why);
	if (!err && bus_letter_most(b) < BUS_LETTER_LEAST)
		err = err_set(why, ERR_USAGE,
			"the NATS server %s takes messages of %zu bytes at most, and agents need %d: raise its max_payload",
			b->url.place, bus_letter_most(b), BUS_LETTER_LEAST);
	if (!err &&
		((s = make_context(b, &b->js)) != NATS_OK || (s = make_stream(b)) != NATS_OK || (s = make_bucket(b)) != NATS_OK))
		err = bus_unreachable(b, "make stream and bucket (does it run with -js?)", s, why);
	if (!err)
		err = keep_replicas(b, "KV_", "", why);
	if (!err)
		err = keep_replicas(b, "", "-log", why);
	if (err)
		bus_close(b);
	else
		*out = b;
	return err;
}

void bus_wait_at_most(struct bus *b, int64_t ms)
{
	jsCtx *js = NULL;

	b->wait = ms;
	/* a context is made without the server; the subscriptions keep the one with which they were made */
	if (make_context(b, &js) == NATS_OK) {
		jsCtx_Destroy(b->js);
		b->js = js;
	}
}

size_t bus_letter_most(const struct bus *b)
{
	const int64_t most = natsConnection_GetMaxPayload(b->connection);

	return most > 0 && most < BUS_LETTER_MAX ? (size_t)most : BUS_LETTER_MAX;
}

void bus_close(struct bus *b)
{
	if (!b)
		return;
	if (b->connection)
		(void)natsConnection_FlushTimeout(b->connection, 1000);
	/* first, since libnats 3.4 may free a subscription to which messages still come while it is in use */
	if (b->connection)
		natsConnection_Close(b->connection);
	natsSubscription_Destroy(b->watch);
	natsSubscription_Destroy(b->letters);
	natsSubscription_Destroy(b->answers);
	kvStore_Destroy(b->bucket);
	jsCtx_Destroy(b->js);
	natsConnection_Destroy(b->connection);
	free(b);
}

void bus_end(void)
{
	(void)nats_CloseAndWait(LIBRARY_END_MS);
}

static int last_number(struct bus *b, const char *before, const char *behind, uint64_t *number, struct err_note *why)
{
	char stream[BUS_NAME_MAX + 16];
	jsStreamInfo *info = NULL;

	snprintf(stream, sizeof stream, "%s%s%s", before, b->name, behind);
	const natsStatus s = js_GetStreamInfo(&info, b->js, stream, NULL, NULL);
	*number = s == NATS_OK ? info->State.LastSeq : 0;
	jsStreamInfo_Destroy(info);
	return s == NATS_OK || s == NATS_NOT_FOUND ? 0 : bus_unreachable(b, "look at the streams", s, why);
}

int bus_mark(struct bus *b, struct bus_mark *out, struct err_note *why)
{
	const int err = last_number(b, "KV_", "", &out->bucket, why);

	return err ? err : last_number(b, "", "-log", &out->log, why);
}

/* --- the bucket */

/* Where the values of a key stand. */
struct place {
	char stream[BUS_NAME_MAX + 16], subject[3 * BUS_NAME_MAX];
	const char *read, *write; /* what is done there, for messages */
};

static struct place place_of(const struct bus *b, const char *key)
{
	struct place p = {.read = "read a key", .write = "write a key"};

	if (strncmp(key, BUS_LOG, strlen(BUS_LOG)) == 0) {
		snprintf(p.stream, sizeof p.stream, "%s-log", b->name);
		snprintf(p.subject, sizeof p.subject, "lycosa.%s.%s", b->url.name, key);
		p.read = "read a partition's log";
		p.write = "write a partition's log";
	} else {
		snprintf(p.stream, sizeof p.stream, "KV_%s", b->name);
		snprintf(p.subject, sizeof p.subject, "$KV.%s.%s", b->name, key);
	}
	return p;
}

/* The revision is that of its deletion if the key was deleted. */
static int last_of(struct bus *b, const char *key, struct buf *value, uint64_t *revision, int64_t *time, struct err_note *why)
{
	const struct place p = place_of(b, key);

	return bus_last(b, p.stream, p.subject, p.read, value, revision, time, why);
}

int bus_get(struct bus *b, const char *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	int64_t time;
	const int got = last_of(b, key, value, revision, &time, why);

	*revision = got > 0 ? *revision : 0;
	return got;
}

int bus_written(struct bus *b, const char *key, int64_t *time, struct err_note *why)
{
	struct buf value = BUF_EMPTY;
	uint64_t revision;
	const int got = last_of(b, key, &value, &revision, time, why);

	buf_release(&value);
	return got;
}

int bus_set_all(struct bus *b, struct bus_value *values, size_t count, struct err_note *why)
{
	struct bus_answer *answers = mem_new(count, sizeof *answers);
	const size_t most = bus_log_most(b);
	natsStatus s = bus_ask_begin(b);
	size_t asked = 0;
	int err = 0;

	for (size_t i = 0; i < count && s == NATS_OK; i++) {
		const struct place p = place_of(b, values[i].key);
		if (values[i].n > most)
			continue;
		s = bus_ask(b, p.subject, values[i].bytes, values[i].n, values[i].revision);
		asked++;
	}
	const int worst = bus_answers(b, s, answers, asked, place_of(b, values[0].key).write, why);
	for (size_t i = 0, next = 0; i < count; i++) {
		struct bus_answer a = {.result = ERR_TOO_BIG};
		if (values[i].n <= most && next < asked)
			a = answers[next++];
		else if (values[i].n <= most) /* the sending has failed before */
			a.result = worst;
		values[i].result = a.result;
		if (a.result > 0)
			values[i].revision = a.number;
		if (!err && a.result < 0 && a.result != ERR_TOO_BIG)
			err = a.result;
	}
	free(answers);
	return err;
}

int bus_set(struct bus *b, const char *key, const void *bytes, size_t n, uint64_t *revision, struct err_note *why)
{
	struct bus_value value = {.key = key, .bytes = bytes, .n = n, .revision = *revision};
	struct buf before = BUF_EMPTY;
	int64_t time;
	int err = bus_set_all(b, &value, 1, why), got = 0;

	/* what the server has of a key that was deleted is a message, too */
	if (!err && !value.result && !*revision)
		got = last_of(b, key, &before, &value.revision, &time, why);
	if (!err && !value.result && !*revision && !got && value.revision)
		err = bus_set_all(b, &value, 1, why);
	buf_release(&before);
	if (err || got < 0)
		return err ? err : got;
	*revision = value.result > 0 ? value.revision : *revision;
	return value.result;
}

int bus_watch(struct bus *b, const char *pattern, struct err_note *why)
{
	struct place p = place_of(b, pattern);
	jsSubOptions o;

	natsSubscription_Destroy(b->watch);
	b->watch = NULL;
	jsSubOptions_Init(&o);
	o.Stream = p.stream;
	o.Config.DeliverPolicy = js_DeliverLastPerSubject;
	o.Config.AckPolicy = js_AckNone;
	o.Config.MemoryStorage = true; /* how far a watcher has read is worth no file */
	const natsStatus s = js_SubscribeSync(&b->watch, b->js, p.subject, NULL, &o, NULL);
	return s == NATS_OK ? 0 : bus_unreachable(b, "watch the bucket", s, why);
}

int bus_changed(struct bus *b, struct buf *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	const size_t before = strlen("$KV..") + strlen(b->name);
	jsMsgMetaData *about = NULL;
	natsMsg *message = NULL;
	uint64_t waiting = 0;
	natsStatus s = b->watch ? natsSubscription_QueuedMsgs(b->watch, &waiting) : NATS_TIMEOUT;

	if (s == NATS_OK)
		s = waiting ? natsSubscription_NextMsg(&message, b->watch, WATCH_MS) : NATS_TIMEOUT;
	if (s == NATS_TIMEOUT)
		return 0;
	if (s == NATS_OK)
		s = natsMsg_GetMetaData(&about, message);
	if (s != NATS_OK || strlen(natsMsg_GetSubject(message)) < before) {
		natsMsg_Destroy(message);
		return bus_unreachable(b, "watch the bucket", s, why);
	}
	buf_clear(key);
	buf_clear(value);
	buf_text(key, natsMsg_GetSubject(message) + before);
	buf_add(value, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
	*revision = about->Sequence.Stream;
	jsMsgMetaData_Destroy(about);
	natsMsg_Destroy(message);
	return 1;
}

/* --- letters */

static void subject_of(const struct bus *b, const char *agent, char *out, size_t room)
{
	snprintf(out, room, "lycosa.%s.to.%s", b->url.name, agent);
}

/* Makes the agent's consumer on the server, if there is none. The server pushes letters to a subject of the agent's own and waits
 * for acknowledgements: an agent that polled for letters would cost the server more than the letters do. */
static natsStatus make_consumer(struct bus *b, const char *agent, const char *filter)
{
	char inbox[3 * BUS_NAME_MAX];
	jsConsumerConfig c;
	jsConsumerInfo *info = NULL;
	natsStatus s = js_GetConsumerInfo(&info, b->js, b->name, agent, NULL, NULL);

	jsConsumerInfo_Destroy(info);
	if (s != NATS_NOT_FOUND)
		return s;
	/* of its own: another process of the agent may still listen to the one before */
	snprintf(inbox, sizeof inbox, "_lycosa.%s.%s.%llx", b->url.name, agent, (unsigned long long)clock_read_ns(CLOCK_REALTIME));
	jsConsumerConfig_Init(&c);
	c.Durable = agent;
	c.DeliverSubject = inbox;
	c.FilterSubject = filter;
	c.AckPolicy = js_AckAll;
	c.AckWait = ACK_WAIT_NS;
	c.MaxAckPending = PENDING_MOST;
	return js_AddConsumer(NULL, b->js, b->name, &c, NULL, NULL);
}

int bus_listen(struct bus *b, const char *agent, struct err_note *why)
{
	char subject[2 * BUS_NAME_MAX];
	jsSubOptions o;

	subject_of(b, agent, subject, sizeof subject);
	natsSubscription_Destroy(b->letters);
	b->letters = NULL;
	natsStatus s = make_stream(b); /* a server that was started again has none */
	if (s == NATS_OK)
		s = make_consumer(b, agent, subject);
	jsSubOptions_Init(&o);
	o.Stream = b->name;
	o.Consumer = agent;
	o.ManualAck = true;
	if (s == NATS_OK)
		s = js_SubscribeSync(&b->letters, b->js, subject, NULL, &o, NULL);
	if (s != NATS_OK && strstr(bus_last_words(s), "already bound")) {
		/* to another process of the agent, which has lost its lease to this one; its letters come again */
		s = js_DeleteConsumer(b->js, b->name, agent, NULL, NULL);
		if (s == NATS_OK)
			s = make_consumer(b, agent, subject);
		if (s == NATS_OK)
			s = js_SubscribeSync(&b->letters, b->js, subject, NULL, &o, NULL);
	}
	return s == NATS_OK ? 0 : bus_unreachable(b, "take letters", s, why);
}

int bus_take(struct bus *b, struct bus_letter *out, int most, int64_t wait_ms, struct err_note *why)
{
	natsStatus s = b->letters ? NATS_OK : NATS_INVALID_SUBSCRIPTION;
	uint64_t waiting = 1;
	natsMsg *message;
	int n = 0;

	while (s == NATS_OK && n < most && waiting) {
		s = natsSubscription_NextMsg(&message, b->letters, n || wait_ms < 1 ? 1 : wait_ms);
		if (s == NATS_OK)
			out[n++] = (struct bus_letter){.bytes = natsMsg_GetData(message),
				.n = (size_t)natsMsg_GetDataLength(message),
				.message = message,
				.bus = b};
		if (s == NATS_OK)
			s = natsSubscription_QueuedMsgs(b->letters, &waiting);
	}
	return n || s == NATS_OK || s == NATS_TIMEOUT ? n : bus_unreachable(b, "take letters", s, why);
}

void bus_acknowledge(struct bus_letter *l)
{
	const char *reply = natsMsg_GetReply(l->message);

	/* what natsMsg_Ack() sends; it reads the letter's subscription, which bus_listen() may have replaced. */
	if (reply)
		(void)natsConnection_PublishString(l->bus->connection, reply, "+ACK");
	bus_drop_letter(l);
}

void bus_drop_letter(struct bus_letter *l)
{
	natsMsg_Destroy(l->message);
	l->message = NULL;
}

int bus_send(struct bus *b, const char *agent, const void *letter, size_t n, struct err_note *why)
{
	char subject[2 * BUS_NAME_MAX];

	subject_of(b, agent, subject, sizeof subject);
	const natsStatus s = natsConnection_Publish(b->connection, subject, letter, (int)n);
	return s == NATS_OK ? 0 : bus_unreachable(b, "send a letter", s, why);
}

/* --- the logs of partitions */

int bus_log_open(struct bus *b, struct err_note *why)
{
	const struct place p = place_of(b, BUS_LOG "*");
	const char *subjects[] = {p.subject};
	jsStreamConfig c;
	jsErrCode code = (jsErrCode)0;

	jsStreamConfig_Init(&c);
	c.Name = p.stream;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.Storage = js_FileStorage;
	c.Replicas = b->replicas > 1 ? b->replicas : 1;
	const natsStatus s = bus_make_stream(b, &c, &code);
	return s == NATS_OK ? keep_replicas(b, "", "-log", why)
			    : bus_unreachable(b, "make the stream of the partitions' logs", s, why);
}

size_t bus_log_most(const struct bus *b)
{
	return bus_letter_most(b) - HEAD_MOST;
}

/* Hands over one message. Returns 1, 0 if it was the last, or what `take` returned. */
static int hand_over(natsMsg *m, uint64_t upto, int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx,
	natsStatus *s)
{
	jsMsgMetaData *about = NULL;

	*s = natsMsg_GetMetaData(&about, m);
	if (*s != NATS_OK)
		return 0;
	const uint64_t number = about->Sequence.Stream;
	jsMsgMetaData_Destroy(about);
	const int err = number > upto ? 0 : take(ctx, number, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m));
	return err ? err : number < upto;
}

int bus_log_read(struct bus *b, unsigned partition, uint64_t after, uint64_t upto,
	int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx, struct err_note *why)
{
	char key[16];
	natsSubscription *reader = NULL;
	jsSubOptions o;
	int more = after < upto;

	if (!more)
		return 0;
	snprintf(key, sizeof key, BUS_LOG "%u", partition);
	struct place p = place_of(b, key);
	jsSubOptions_Init(&o);
	o.Stream = p.stream;
	/* an ordered consumer of libnats 3.4 is freed while it is in use, and so may any be to which messages still come: `upto` is
	 * the last one */
	o.Config.AckPolicy = js_AckNone;
	o.Config.MemoryStorage = true;
	o.Config.DeliverPolicy = js_DeliverByStartSequence;
	o.Config.OptStartSeq = after + 1;
	natsStatus s = js_SubscribeSync(&reader, b->js, p.subject, NULL, &o, NULL);
	while (s == NATS_OK && more == 1) {
		natsMsg *m = NULL;
		s = natsSubscription_NextMsg(&m, reader, b->wait);
		if (s == NATS_OK)
			more = hand_over(m, upto, take, ctx, &s);
		natsMsg_Destroy(m);
	}
	natsSubscription_Destroy(reader);
	if (s != NATS_OK)
		return bus_unreachable(b, p.read, s, why);
	return more;
}

#endif
