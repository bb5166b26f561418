#include "agents/bus_parts.h"

#ifdef HAVE_NATS

#include "base/clock.h"

#include <string.h>

#define MADE_MS 3000 /* a stream that another agent makes is looked for so long */
#define LOOK_MS 50   /* between two looks */

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

natsStatus bus_make_stream(struct bus *b, jsStreamConfig *c, jsErrCode *code)
{
	natsStatus s = js_AddStream(NULL, b->js, c, NULL, code);

	if (s != NATS_OK && (*code == JSStreamNameExistErr || *code == JSStreamSubjectOverlapErr) &&
		look_for(b, c->Name, c->Subjects[0]) == NATS_OK)
		s = NATS_OK;
	return s;
}

#endif
