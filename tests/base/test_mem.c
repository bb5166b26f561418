#include "tests/test.h"

#include "base/err.h"
#include "base/mem.h"

#include <sys/wait.h>

static void want_too_much(void)
{
	free(mem_new(SIZE_MAX / 4, 2));
}

static void want_more_than_there_is_for_a_library(void)
{
	free(mem_bytes_again(mem_bytes(1), SIZE_MAX / 2));
}

static void want_more_than_can_be_counted(void)
{
	free(mem_zero(SIZE_MAX / 2, 4));
}

static void want_too_many_pages(void)
{
	mem_big_free(mem_big(SIZE_MAX / 16, 8), SIZE_MAX / 16, 8);
}

/* What a child says on stderr that runs `want`, static memory; *status is how it ended. */
static const char *end_of(void (*want)(void), int *status)
{
	static char said[512];
	size_t used = 0;
	ssize_t n;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		printf("half a result"); /* stays in its buffer */
		want();
		_exit(0);
	}
	close(ends[1]);
	while ((n = read(ends[0], said + used, sizeof said - 1 - used)) > 0)
		used += (size_t)n;
	said[used] = 0;
	close(ends[0]);
	assert_int_equal(waitpid(child, status, 0), child);
	return said;
}

static void memory_that_is_not_there_ends_the_program_with_one_line_and_status_20(void **state)
{
	static void (*const wants[])(void) = {want_too_much, want_more_than_there_is_for_a_library, want_more_than_can_be_counted,
		want_too_many_pages, mem_exhausted};
	int status;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip_because("the sanitizer ends a program that wants so much");
#endif
	assert_int_equal(err_status(ERR_MEMORY), 20);
	for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
		const char *said = end_of(wants[i], &status);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 20);
		assert_memory_equal(said, "lycosa: out of memory: ", 23);
		assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
	}
}

static void a_part_of_a_text_ends_where_the_text_does(void **state)
{
	char *whole = mem_part("spider", 40), *part = mem_part("spider", 3), *none = mem_part("", 9);

	(void)state;
	assert_string_equal(whole, "spider");
	assert_string_equal(part, "spi");
	assert_string_equal(none, "");
	free(whole);
	free(part);
	free(none);
}

static void a_big_array_grows_by_zeros_and_keeps_its_elements(void **state)
{
	static const size_t sizes[] = {1, 1000, 100000, 300000, 300001, 5000000};
	uint64_t *a = NULL;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		a = mem_big_grow(a, n, sizes[i], sizeof *a);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_true(a[k] == (k < n ? ~k : 0));
		for (n = sizes[i]; n-- > 0;)
			a[n] = ~n;
		n = sizes[i];
	}
	mem_big_free(a, n, sizeof *a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_that_is_not_there_ends_the_program_with_one_line_and_status_20),
		cmocka_unit_test(a_part_of_a_text_ends_where_the_text_does),
		cmocka_unit_test(a_big_array_grows_by_zeros_and_keeps_its_elements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
