#include "agents/bus_parts.h"

#ifdef HAVE_NATS

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

natsStatus bus_ask_begin(struct bus *b)
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

natsStatus bus_ask(struct bus *b, const char *subject, const void *bytes, size_t n, uint64_t last)
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
		s = natsSubscription_NextMsg(&answer, b->answers, BUS_WAIT_MS);
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

int bus_answers(struct bus *b, natsStatus s, struct bus_answer *out, size_t count, const char *what, struct err_note *why)
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

#endif
