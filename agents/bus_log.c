#include "agents/bus_log.h"
#include "agents/bus_parts.h"

#ifndef HAVE_NATS

/* Without the NATS library no bus is ever open, and bus_open() has said so. */
int bus_log_open(struct bus *b, struct err_note *why)
{
	(void)b;
	return err_set(why, ERR_USAGE, "this lycosa was built without NATS");
}

int bus_log_last(struct bus *b, unsigned partition, struct buf *message, uint64_t *number, struct err_note *why)
{
	(void)partition, (void)message, (void)number;
	return bus_log_open(b, why);
}

size_t bus_log_most(const struct bus *b)
{
	return bus_letter_most(b);
}

int bus_log_add(struct bus *b, struct bus_log_message *messages, size_t count, struct err_note *why)
{
	(void)messages, (void)count;
	return bus_log_open(b, why);
}

int bus_log_read(struct bus *b, unsigned partition, uint64_t after, uint64_t upto,
	int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx, struct err_note *why)
{
	(void)partition, (void)after, (void)upto, (void)take, (void)ctx;
	return bus_log_open(b, why);
}

#else

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD_MOST 256 /* bytes of a message's headers, which count for the server, too */

struct place {
	char stream[BUS_NAME_MAX + 16], subject[2 * BUS_NAME_MAX];
};

static struct place place_of(const struct bus *b, const char *partition)
{
	struct place p;

	snprintf(p.stream, sizeof p.stream, "%s-log", b->name);
	snprintf(p.subject, sizeof p.subject, "lycosa.%s.log.%s", b->url.name, partition);
	return p;
}

static struct place place_of_number(const struct bus *b, unsigned partition)
{
	char text[16];

	snprintf(text, sizeof text, "%u", partition);
	return place_of(b, text);
}

int bus_log_open(struct bus *b, struct err_note *why)
{
	const struct place p = place_of(b, "*");
	const char *subjects[] = {p.subject};
	jsStreamConfig c;
	jsErrCode code = (jsErrCode)0;

	jsStreamConfig_Init(&c);
	c.Name = p.stream;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.Storage = js_FileStorage;
	const natsStatus s = bus_make_stream(b, &c, &code);
	return s == NATS_OK ? 0 : bus_unreachable(b, "make the stream of the partitions' logs", s, why);
}

int bus_log_last(struct bus *b, unsigned partition, struct buf *message, uint64_t *number, struct err_note *why)
{
	const struct place p = place_of_number(b, partition);
	int64_t time;

	return bus_last(b, p.stream, p.subject, "read a partition's log", message, number, &time, why);
}

size_t bus_log_most(const struct bus *b)
{
	return bus_letter_most(b) - HEAD_MOST;
}

int bus_log_add(struct bus *b, struct bus_log_message *messages, size_t count, struct err_note *why)
{
	struct bus_answer *answers = mem_new(count, sizeof *answers);
	const size_t most = bus_log_most(b);
	natsStatus s = bus_ask_begin(b);
	size_t asked = 0;
	int err = 0;

	for (size_t i = 0; i < count && s == NATS_OK; i++) {
		const struct place p = place_of_number(b, messages[i].partition);
		if (messages[i].n > most)
			continue;
		s = bus_ask(b, p.subject, messages[i].bytes, messages[i].n, messages[i].last);
		asked++;
	}
	const int worst = bus_answers(b, s, answers, asked, "write a partition's log", why);
	for (size_t i = 0, next = 0; i < count; i++) {
		struct bus_answer a = {.result = ERR_TOO_BIG};
		if (messages[i].n <= most && next < asked)
			a = answers[next++];
		else if (messages[i].n <= most) /* the sending has failed before */
			a.result = worst;
		messages[i].result = a.result;
		messages[i].last = a.number;
		if (!err && a.result < 0 && a.result != ERR_TOO_BIG)
			err = a.result;
	}
	free(answers);
	return err;
}

/* --- reading */

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
	const struct place p = place_of_number(b, partition);
	natsSubscription *reader = NULL;
	jsSubOptions o;
	int more = after < upto;

	if (!more)
		return 0;
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
		s = natsSubscription_NextMsg(&m, reader, BUS_WAIT_MS);
		if (s == NATS_OK)
			more = hand_over(m, upto, take, ctx, &s);
		natsMsg_Destroy(m);
	}
	natsSubscription_Destroy(reader);
	if (s != NATS_OK)
		return bus_unreachable(b, "read a partition's log", s, why);
	return more;
}

#endif
