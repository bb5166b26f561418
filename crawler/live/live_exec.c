#include "crawler/live/live_exec.h"
#include "fetch/runner.h"

int live_exec_open(struct runner **out, const struct live_config *c, struct err_note *why)
{
	*out = NULL;
	return c->exec ? runner_new(out, c->exec, c->exec_timeout, why) : 0;
}

static int event(void *runner, const struct result *e, struct err_note *why)
{
	(void)e;
	return runner_failed(runner, why);
}

static int idle(void *runner, struct err_note *why)
{
	return runner_failed(runner, why);
}

struct observer live_exec_observer(struct runner *r)
{
	return (struct observer){.ctx = r, .event = event, .idle = idle};
}
