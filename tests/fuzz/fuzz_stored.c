/* The index of a folder of stored pages. */
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/graph_input.h"

#include "simweb/site.h"

#include <fcntl.h>

static char folder[FUZZ_FOLDER], index_path[64];

static void remove_folder(void)
{
	unlink(index_path);
	rmdir(folder);
}

static void make_ready(void)
{
	if (*index_path)
		return;
	fuzz_folder(folder);
	snprintf(index_path, sizeof index_path, "%s/index.tsv", folder);
	graph_input_require(atexit(remove_folder) == 0);
}

static void write_index(const uint8_t *bytes, size_t n)
{
	const int fd = open(index_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	graph_input_require(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct err_note why = {""};
	struct stored *s;
	off_t size;

	make_ready();
	write_index(bytes, n);
	const int err = stored_open(&s, folder, &why);
	graph_input_require(!err == !*why.text);
	for (uint32_t i = 0; !err && i < stored_pages(s); i++) {
		graph_input_require(strstr(stored_url(s, i), "://") && stored_type(s, i));
		const int fd = stored_file(s, i, &size);
		/* nothing is in the folder but the index */
		graph_input_require(fd < 0 || (size_t)size == n);
		if (fd >= 0)
			close(fd);
	}
	if (!err)
		stored_close(s);
	return 0;
}
