/* Jobs: files by hand and manifests. What is read comes back as a manifest, the same once more. */
#include "base/mem.h"
#include "cli/lab/study_job.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static int parse(struct job *j, const void *bytes, size_t n)
{
	struct err_note why;
	char *copy = mem_new(n + 1, 1);

	memcpy(copy, bytes, n);
	copy[n] = 0;
	job_init(j);
	const int err = job_parse(j, "job", copy, n, &why);
	free(copy);
	return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct buf first = BUF_EMPTY, second = BUF_EMPTY;
	struct job j, again;

	if (!parse(&j, bytes, n)) {
		job_manifest(&j, &first);
		if (!parse(&again, first.at, first.used)) { /* texts that are no UTF-8 are lost once */
			struct job third;
			job_manifest(&again, &second);
			buf_clear(&first);
			if (parse(&third, second.at, second.used))
				__builtin_trap();
			job_manifest(&third, &first);
			if (first.used != second.used || memcmp(first.at, second.at, first.used) != 0)
				__builtin_trap();
			job_release(&third);
		}
		job_release(&again);
	}
	job_release(&j);
	buf_release(&first);
	buf_release(&second);
	return 0;
}
