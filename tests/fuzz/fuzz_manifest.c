/* The manifest of a comparison. */
#include "cli/lab/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct err_note why;
	struct manifest m;
	int err = manifest_parse(&m, (const char *)bytes, n, "manifest", &why);

	for (size_t i = 0; !err && i < m.graphs; i++) {
		const struct manifest *one = manifest_of(&m, i);
		if (!one->draws || !one->policies.count || !one->policy.batch ||
			!one->seed_fingerprints)
			__builtin_trap();
	}
	manifest_release(&m);
	return 0;
}
