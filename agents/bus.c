#include "agents/bus.h"
#include "agents/bus_options.h"
#include "agents/bus_parts.h"

#ifndef HAVE_NATS

static int absent(struct err_note *why)
{
	return err_set(why, ERR_USAGE,
		"this lycosa was built without NATS; build it where libnats is (Debian: apt-get install libnats-dev)");
}

int bus_open(struct bus **out, const char *url, const struct bus_access *access, struct err_note *why)
{
	struct bus_url parts;
	const int err = bus_url_read(&parts, url, why);

	(void)access;
	*out = NULL;
	return err ? err : absent(why);
}

/* Without the NATS library no bus is ever open. The functions that need one exist for the linker only. */
void bus_close(struct bus *b)
{
	(void)b;
}

void bus_end(void)
{
}

int bus_get(struct bus *b, const char *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	(void)b, (void)key, (void)value, (void)revision;
	return absent(why);
}

int bus_written(struct bus *b, const char *key, int64_t *time, struct err_note *why)
{
	(void)b, (void)key, (void)time;
	return absent(why);
}

int bus_set(struct bus *b, const char *key, const void *value, size_t n, uint64_t *revision, struct err_note *why)
{
	(void)b, (void)key, (void)value, (void)n, (void)revision;
	return absent(why);
}

int bus_set_all(struct bus *b, struct bus_value *values, size_t count, struct err_note *why)
{
	(void)b, (void)values, (void)count;
	return absent(why);
}

int bus_watch(struct bus *b, const char *pattern, struct err_note *why)
{
	(void)b, (void)pattern;
	return absent(why);
}

int bus_changed(struct bus *b, struct buf *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	(void)b, (void)key, (void)value, (void)revision;
	return absent(why);
}

int bus_listen(struct bus *b, const char *agent, struct err_note *why)
{
	(void)b, (void)agent;
	return absent(why);
}

int bus_take(struct bus *b, struct bus_letter *out, int most, int64_t wait_ms, struct err_note *why)
{
	(void)b, (void)out, (void)most, (void)wait_ms;
	return absent(why);
}

size_t bus_letter_most(const struct bus *b)
{
	(void)b;
	return BUS_LETTER_MAX;
}

void bus_acknowledge(struct bus_letter *l)
{
	(void)l;
}

void bus_drop_letter(struct bus_letter *l)
{
	(void)l;
}

int bus_send(struct bus *b, const char *agent, const void *letter, size_t n, struct err_note *why)
{
	(void)b, (void)agent, (void)letter, (void)n;
	return absent(why);
}

#else

#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY_END_MS 2000
#define PENDING_MOST   4096        /* letters that were taken and not acknowledged */
#define WATCH_MS       1           /* nats takes no 0 */
#define ACK_WAIT_NS    10000000000 /* after which a letter that was taken and not acknowledged comes again */

int bus_refused(const struct bus *b, const char *what, const char *words, struct err_note *why)
{
	const int is_full = strstr(words, "insufficient") || strstr(words, "maximum bytes exceeded");

	return err_set(why, ERR_UNREACHABLE, "cannot %s at the NATS server %s: %s%s", what, b->url.place, words,
		is_full ? "; its disk, or what its settings allow of it, is full" : "");
}

int bus_unreachable(const struct bus *b, const char *what, natsStatus status, struct err_note *why)
{
	return bus_refused(b, what, bus_last_words(status), why);
}

/* --- opening and closing */

static int connect_to(struct bus *b, const struct bus_access *a, struct err_note *why)
{
	natsOptions *options = NULL;
	jsOptions js;
	natsStatus s = NATS_OK;
	int err = bus_options(&options, &b->url, a, why);

	if (!err)
		s = bus_connect(&b->connection, options, a);
	natsOptions_Destroy(options);
	if (!err && s == NATS_OK)
		s = jsOptions_Init(&js);
	js.Wait = BUS_WAIT_MS;
	if (!err && s == NATS_OK)
		s = natsConnection_JetStream(&b->js, b->connection, &js);
	return err || s == NATS_OK ? err : bus_unreachable(b, "connect", s, why);
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
	return js_CreateKeyValue(&b->bucket, b->js, &c);
}

int bus_open(struct bus **out, const char *url, const struct bus_access *a, struct err_note *why)
{
	struct bus *b = mem_zero(1, sizeof *b);
	int err = bus_url_read(&b->url, url, why);
	natsStatus s = NATS_OK;

	*out = NULL;
	snprintf(b->name, sizeof b->name, "lycosa-%s", b->url.name);
	if (!err)
		err = connect_to(b, a, why);
	if (!err && bus_letter_most(b) < BUS_LETTER_LEAST)
		err = err_set(why, ERR_USAGE,
			"the NATS server %s takes messages of %zu bytes at most, and agents need %d: raise its max_payload",
			b->url.place, bus_letter_most(b), BUS_LETTER_LEAST);
	if (!err && ((s = make_stream(b)) != NATS_OK || (s = make_bucket(b)) != NATS_OK))
		err = bus_unreachable(b, "make stream and bucket (does it run with -js?)", s, why);
	if (err)
		bus_close(b);
	else
		*out = b;
	return err;
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

/* --- the bucket */

int bus_last(struct bus *b, const char *stream, const char *subject, const char *what, struct buf *out, uint64_t *number,
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

struct place {
	char stream[BUS_NAME_MAX + 16], subject[3 * BUS_NAME_MAX];
};

static struct place place_of(const struct bus *b, const char *key)
{
	struct place p;

	snprintf(p.stream, sizeof p.stream, "KV_%s", b->name);
	snprintf(p.subject, sizeof p.subject, "$KV.%s.%s", b->name, key);
	return p;
}

/* The revision is that of its deletion if the key was deleted. */
static int last_of(struct bus *b, const char *key, struct buf *value, uint64_t *revision, int64_t *time, struct err_note *why)
{
	const struct place p = place_of(b, key);

	return bus_last(b, p.stream, p.subject, "read a key", value, revision, time, why);
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
	natsStatus s = bus_ask_begin(b);

	for (size_t i = 0; i < count && s == NATS_OK; i++) {
		const struct place p = place_of(b, values[i].key);
		s = bus_ask(b, p.subject, values[i].bytes, values[i].n, values[i].revision);
	}
	const int err = bus_answers(b, s, answers, count, "write a key", why);
	for (size_t i = 0; i < count; i++) {
		values[i].result = answers[i].result;
		if (answers[i].result > 0)
			values[i].revision = answers[i].number;
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

#endif
