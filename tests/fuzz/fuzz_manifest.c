/* The manifest of a comparison. */
#include "cli/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct err_note why;
	struct manifest m;

	if (!manifest_parse(&m, (const char *)bytes, n, "manifest", &why) &&
		(!m.draws || !m.policies.count || !m.policy.batch || !m.seed_fingerprints))
		__builtin_trap();
	manifest_release(&m);
	return 0;
}
