#include "agents/bus.h"
#include "agents/bus_url.h"

#ifndef HAVE_NATS

static int absent(struct err_note *why)
{
	return err_set(why, ERR_USAGE,
		"this lycosa was built without NATS; build it where libnats is (Debian: apt-get install libnats-dev)");
}

int bus_open(struct bus **out, const char *url, const char *creds, const char *cacert, struct err_note *why)
{
	struct bus_url parts;
	const int err = bus_url_read(&parts, url, why);

	(void)creds, (void)cacert;
	*out = NULL;
	return err ? err : absent(why);
}

/* No bus is ever open, so that the others are there for the linker alone. */
void bus_close(struct bus *b)
{
	(void)b;
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

#include "base/mem.h"

#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY_END_MS 2000
#define PENDING_MOST 4096 /* letters that the server has not confirmed */
#define WATCH_MS     1    /* nats takes no 0 */
#define ACK_WAIT_NS  10000000000 /* after which a letter that was taken and not acknowledged comes again */

struct bus {
	struct bus_url url;
	natsConnection *connection;
	jsCtx *js;
	kvStore *bucket;
	natsSubscription *watch, *letters;
	char name[BUS_NAME_MAX + 8]; /* of bucket and stream */
};

static int unreachable(const struct bus *b, const char *what, natsStatus status, struct err_note *why)
{
	const char *more = nats_GetLastError(NULL);

	return err_set(why, ERR_UNREACHABLE, "cannot %s at the NATS server %s: %s%s%s", what, b->url.place,
		natsStatus_GetText(status), more && *more ? ": " : "", more ? more : "");
}

/* --- opening and closing */

static natsStatus set_options(natsOptions *o, const struct bus *b, const char *creds, const char *cacert)
{
	natsStatus s = natsOptions_SetURL(o, b->url.server);

	if (s == NATS_OK)
		s = natsOptions_SetTimeout(o, BUS_CONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxReconnect(o, -1);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(o, 200);
	if (s == NATS_OK)
		s = natsOptions_SetFailRequestsOnDisconnect(o, true);
	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(o, 2000);
	if (s == NATS_OK && creds)
		s = natsOptions_SetUserCredentialsFromFiles(o, creds, NULL);
	if (s == NATS_OK && b->url.is_tls)
		s = natsOptions_SetSecure(o, true);
	if (s == NATS_OK && cacert)
		s = natsOptions_LoadCATrustedCertificates(o, cacert);
	return s;
}

static natsStatus connect_to(struct bus *b, const char *creds, const char *cacert)
{
	natsOptions *options = NULL;
	jsOptions js;
	natsStatus s = natsOptions_Create(&options);

	if (s == NATS_OK)
		s = set_options(options, b, creds, cacert);
	if (s == NATS_OK)
		s = natsConnection_Connect(&b->connection, options);
	natsOptions_Destroy(options);
	if (s == NATS_OK)
		s = jsOptions_Init(&js);
	js.Wait = BUS_WAIT_MS;
	js.PublishAsync.MaxPending = PENDING_MOST;
	js.PublishAsync.StallWait = 1000;
	if (s == NATS_OK)
		s = natsConnection_JetStream(&b->js, b->connection, &js);
	return s;
}

static natsStatus make_stream(struct bus *b)
{
	char subject[BUS_NAME_MAX + 16];
	const char *subjects[] = {subject};
	jsStreamConfig c;
	jsStreamInfo *info = NULL;
	natsStatus s = js_GetStreamInfo(&info, b->js, b->name, NULL, NULL);

	jsStreamInfo_Destroy(info);
	if (s != NATS_NOT_FOUND)
		return s;
	snprintf(subject, sizeof subject, "lycosa.%s.to.*", b->url.name);
	jsStreamConfig_Init(&c);
	c.Name = b->name;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.Retention = js_WorkQueuePolicy;
	c.Storage = js_FileStorage;
	return js_AddStream(NULL, b->js, &c, NULL, NULL);
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

int bus_open(struct bus **out, const char *url, const char *creds, const char *cacert, struct err_note *why)
{
	struct bus *b = mem_zero(1, sizeof *b);
	int err = bus_url_read(&b->url, url, why);
	natsStatus s = NATS_OK;

	*out = NULL;
	snprintf(b->name, sizeof b->name, "lycosa-%s", b->url.name);
	if (!err && (s = connect_to(b, creds, cacert)) != NATS_OK)
		err = unreachable(b, "connect", s, why);
	if (!err && ((s = make_stream(b)) != NATS_OK || (s = make_bucket(b)) != NATS_OK))
		err = unreachable(b, "make stream and bucket (does it run with -js?)", s, why);
	if (err)
		bus_close(b);
	else
		*out = b;
	return err;
}

void bus_close(struct bus *b)
{
	jsPubOptions wait;

	if (!b)
		return;
	jsPubOptions_Init(&wait);
	wait.MaxWait = 1000;
	if (b->js)
		(void)js_PublishAsyncComplete(b->js, &wait);
	natsSubscription_Destroy(b->watch);
	natsSubscription_Destroy(b->letters);
	kvStore_Destroy(b->bucket);
	jsCtx_Destroy(b->js);
	natsConnection_Destroy(b->connection);
	free(b);
	/* the library's own threads end, too; it starts them again when a bus is opened */
	(void)nats_CloseAndWait(LIBRARY_END_MS);
}

/* --- the bucket */

int bus_get(struct bus *b, const char *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	kvEntry *e = NULL;
	const natsStatus s = kvStore_Get(&e, b->bucket, key);

	buf_clear(value);
	*revision = 0;
	if (s == NATS_NOT_FOUND)
		return 0;
	if (s != NATS_OK)
		return unreachable(b, "read a key", s, why);
	buf_add(value, kvEntry_Value(e), (size_t)kvEntry_ValueLen(e));
	*revision = kvEntry_Revision(e);
	kvEntry_Destroy(e);
	return 1;
}

int bus_written(struct bus *b, const char *key, int64_t *time, struct err_note *why)
{
	kvEntry *e = NULL;
	const natsStatus s = kvStore_Get(&e, b->bucket, key);

	if (s == NATS_NOT_FOUND)
		return 0;
	if (s != NATS_OK)
		return unreachable(b, "read a key", s, why);
	*time = kvEntry_Created(e) / 1000000;
	kvEntry_Destroy(e);
	return 1;
}

int bus_set(struct bus *b, const char *key, const void *value, size_t n, uint64_t *revision, struct err_note *why)
{
	char subject[3 * BUS_NAME_MAX];
	jsPubOptions o;
	jsPubAck *ack = NULL;
	jsErrCode code = (jsErrCode)0;

	/* the library's own calls for keys do not tell another revision from other errors */
	snprintf(subject, sizeof subject, "$KV.%s.%s", b->name, key);
	jsPubOptions_Init(&o);
	o.ExpectLastSubjectSeq = *revision;
	o.ExpectNoMessage = *revision == 0;
	const natsStatus s = js_Publish(&ack, b->js, subject, value, (int)n, &o, &code);
	if (s != NATS_OK)
		return code == JSStreamWrongLastSequenceErr ? 0 : unreachable(b, "write a key", s, why);
	*revision = ack->Sequence;
	jsPubAck_Destroy(ack);
	return 1;
}

int bus_watch(struct bus *b, const char *pattern, struct err_note *why)
{
	char subject[3 * BUS_NAME_MAX], stream[BUS_NAME_MAX + 16];
	jsSubOptions o;

	natsSubscription_Destroy(b->watch);
	b->watch = NULL;
	snprintf(subject, sizeof subject, "$KV.%s.%s", b->name, pattern);
	snprintf(stream, sizeof stream, "KV_%s", b->name);
	jsSubOptions_Init(&o);
	o.Stream = stream;
	o.Config.DeliverPolicy = js_DeliverLastPerSubject;
	o.Config.AckPolicy = js_AckNone;
	const natsStatus s = js_SubscribeSync(&b->watch, b->js, subject, NULL, &o, NULL);
	return s == NATS_OK ? 0 : unreachable(b, "watch the bucket", s, why);
}

int bus_changed(struct bus *b, struct buf *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	const size_t before = strlen("$KV..") + strlen(b->name);
	jsMsgMetaData *about = NULL;
	natsMsg *message = NULL;
	natsStatus s = b->watch ? natsSubscription_NextMsg(&message, b->watch, WATCH_MS) : NATS_TIMEOUT;

	if (s == NATS_TIMEOUT)
		return 0;
	if (s == NATS_OK)
		s = natsMsg_GetMetaData(&about, message);
	if (s != NATS_OK || strlen(natsMsg_GetSubject(message)) < before) {
		natsMsg_Destroy(message);
		return unreachable(b, "watch the bucket", s, why);
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

/* The server pushes letters to a subject of the agent's own, and waits for acknowledgements; an agent that asked for them again and
 * again would cost the server more than the letters do. */
static natsStatus make_consumer(struct bus *b, const char *agent, const char *filter)
{
	char inbox[2 * BUS_NAME_MAX];
	jsConsumerConfig c;
	jsConsumerInfo *info = NULL;
	natsStatus s = js_GetConsumerInfo(&info, b->js, b->name, agent, NULL, NULL);

	jsConsumerInfo_Destroy(info);
	if (s != NATS_NOT_FOUND)
		return s;
	snprintf(inbox, sizeof inbox, "_lycosa.%s.%s", b->url.name, agent);
	jsConsumerConfig_Init(&c);
	c.Durable = agent;
	c.DeliverSubject = inbox;
	c.FilterSubject = filter;
	c.AckPolicy = js_AckExplicit;
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
	natsStatus s = make_consumer(b, agent, subject);
	jsSubOptions_Init(&o);
	o.Stream = b->name;
	o.Consumer = agent;
	o.ManualAck = true;
	if (s == NATS_OK)
		s = js_SubscribeSync(&b->letters, b->js, subject, NULL, &o, NULL);
	return s == NATS_OK ? 0 : unreachable(b, "take letters", s, why);
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
	return n || s == NATS_OK || s == NATS_TIMEOUT ? n : unreachable(b, "take letters", s, why);
}

void bus_acknowledge(struct bus_letter *l)
{
	const char *reply = natsMsg_GetReply(l->message);

	/* what natsMsg_Ack() sends; it reads the letter's subscription, which bus_listen() may have replaced */
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
	const natsStatus s = js_PublishAsync(b->js, subject, letter, (int)n, NULL);
	return s == NATS_OK ? 0 : unreachable(b, "send a letter", s, why);
}

#endif
