#include "tests/test.h"

#include "storage/env.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES ((size_t)8 << 20)

/* The bytes of files that are mapped and in the memory of this process. */
static size_t file_bytes(void)
{
	unsigned long all, resident, shared;
	FILE *f = fopen("/proc/self/statm", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu %lu %lu", &all, &resident, &shared), 3);
	fclose(f);
	return shared * (size_t)sysconf(_SC_PAGESIZE);
}

static uint64_t sum_of(const unsigned char *at)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < BYTES; i += 512)
		sum = sum * 31 + at[i];
	return sum;
}

static void a_map_that_is_let_go_is_no_memory_and_can_still_be_read(void **state)
{
	char path[] = "/tmp/test-env-map-XXXXXX";
	const int fd = mkstemp(path);
	struct env_map m;

	(void)state;
	assert_true(fd >= 0);
	for (uint32_t i = 0; i < BYTES / sizeof i; i += 128) {
		const uint32_t value = i * 2654435761u;
		assert_int_equal(pwrite(fd, &value, sizeof value, (off_t)(i * sizeof i)), sizeof value);
	}
	assert_int_equal(ftruncate(fd, BYTES), 0);
	env_map_find(&m, fd);
	assert_null(m.at);
	env_map_let_go(&m); /* nothing */
	const unsigned char *at = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
	assert_true(at != MAP_FAILED);
	const uint64_t sum = sum_of(at);
	const size_t before = file_bytes();
	env_map_find(&m, fd);
	assert_ptr_equal(m.at, at);
	assert_int_equal(m.size, BYTES);
	env_map_let_go(&m);
	assert_true(file_bytes() + BYTES / 2 < before);
	assert_true(sum_of(at) == sum);
	munmap(m.at, BYTES);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_that_is_let_go_is_no_memory_and_can_still_be_read),
	};

	return cmocka_run_group_tests_name("env_map", tests, NULL, NULL);
}
