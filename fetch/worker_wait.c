#include "fetch/worker.h"
#include "base/clock.h"

static void append(struct job ***end, struct job *job)
{
	job->next = NULL;
	**end = job;
	*end = &job->next;
}

void worker_park(struct origin *o, struct job *job)
{
	append(&o->waiting_end, job);
}

void worker_begin_anew(struct worker *w, struct job *jobs)
{
	while (jobs) {
		struct job *next = jobs->next;
		append(&w->ready_end, jobs);
		jobs = next;
	}
}

enum located worker_locate(struct worker *w, const struct url *u, struct job *job, struct spot *spot)
{
	const enum located where = locate(w->names, w->options, u, &job->granted, spot);

	if (where == LOCATE_WAITS) {
		append(&spot->name->waiting_end, job);
	} else if (where == LOCATE_ELSEWHERE) {
		struct fetch_page head = worker_no_request(OUTCOME_ADDRESS);
		head.address = spot->at;
		worker_give_back(w, job, head);
	}
	return where;
}

struct verdict worker_judge_trouble(struct origin *o, enum outcome error, int64_t now)
{
	const int64_t delay = origin_trouble(o, now);

	if (delay < 0 && outcome_may_leave(error, PAGE_FAILED))
		return (struct verdict){error, PAGE_FAILED, 0};
	return (struct verdict){error, PAGE_QUEUED, delay < 0 ? ORIGIN_TROUBLE_PAUSE : delay};
}

void worker_give_back_lost(struct worker *w, struct origin *o, struct job *job, enum outcome error)
{
	struct fetch_page head = worker_no_request(error);

	if (outcome_is_local(error)) {
		const struct verdict v = worker_judge_trouble(o, error, head.result.ended);
		head.result.state = v.state;
		head.result.not_before = head.result.host_pause = head.result.ended + v.retry_after;
	}
	worker_give_back(w, job, head);
}

void worker_take_answers(struct worker *w)
{
	struct name *name;

	while ((name = names_answer(w->names, clock_ms()))) {
		worker_begin_anew(w, name->waiting);
		name->waiting = NULL;
		name->waiting_end = &name->waiting;
	}
}

void worker_give_back_waiting(struct worker *w, int64_t before, enum outcome outcome)
{
	struct name *name;

	while ((name = names_overdue(w->names, before))) {
		struct job *job = name->waiting, *next;
		name->waiting = NULL;
		name->waiting_end = &name->waiting;
		for (; job; job = next) {
			next = job->next;
			struct fetch_page head = worker_no_request(outcome);
			head.result.state = PAGE_QUEUED;
			if (outcome == OUTCOME_DNS_LATER)
				head.result.not_before = head.result.host_pause = head.result.ended + NAMES_AGAIN_MS;
			worker_give_back(w, job, head);
		}
	}
}
