/* manifest.json: what is written is read, what is amiss is told. */
#include "tests/test.h"

#include "cli/lab/manifest.h"

#include <jansson.h>

static const char whole[] =
	"{\"manifest\": 1, \"lycosa\": \"0.1.0\", \"graph\": {\"path\": \"g.txt\", \"urls\": null,"
	" \"hosts\": \"h\", \"fingerprint\": \"00000000000000ff\"}, \"seeds\": {\"spec\": "
	"\"random:2\","
	" \"draws\": 2, \"rng_seed\": \"18446744073709551615\", \"fingerprints\": "
	"[\"0123456789abcdef\","
	" \"fedcba9876543210\"]}, \"policies\": [{\"name\": \"bfs\", \"options\": {}}, {\"name\":"
	" \"ieca\", \"options\": {\"delta0\": \"0.35\", \"f\": \"literal\"}}], \"batch\": 3, "
	"\"total\": 12,"
	" \"max_pages\": 0, \"tolerance\": 1e-12, \"at\": [0.1, 0.45, 1], \"tau\": true,"
	" \"numbers\": \"00000000deadbeef\"}";

static void a_manifest_says_what_the_flags_would(void **state)
{
	struct manifest m;
	struct err_note why;

	(void)state;
	assert_int_equal(manifest_parse(&m, whole, sizeof whole - 1, "m", &why), 0);
	assert_string_equal(m.graph.graph, "g.txt");
	assert_null(m.graph.urls);
	assert_string_equal(m.graph.hosts, "h");
	assert_true(m.graph_fingerprint == 0xff && m.numbers == 0xdeadbeef);
	assert_string_equal(m.experiment.seeds, "random:2");
	assert_true(m.draws == 2 && m.policy.rng_seed == UINT64_MAX);
	assert_true(m.seed_fingerprints[1] == 0xfedcba9876543210);
	assert_int_equal(m.policies.count, 2);
	assert_string_equal(m.policies.at[1], "ieca");
	assert_int_equal(m.policy.policy_opt.count, 2);
	assert_string_equal(m.policy.policy_opt.at[0], "ieca.delta0=0.35");
	assert_string_equal(m.policy.policy_opt.at[1], "ieca.f=literal");
	assert_true(
		m.policy.batch == 3 && m.policy.max_pages == 0 && m.policy.tol == 1e-12 && m.tau);
	assert_string_equal(m.policy.total, "12");
	assert_int_equal(m.experiment.at.count, 3);
	assert_string_equal(m.experiment.at.at[1], "0.45");
	manifest_release(&m);
}

/* Each as a change of the whole: a path of one or two names, and what stands there instead. */
static const struct {
	const char *object, *name, *value, *told;
	int err;
} amiss[] = {
	{NULL, "manifest", "3", "form 3", ERR_NEWER},
	{NULL, "manifest", "2", "no graph", ERR_FORMAT},
	{NULL, "manifest", "0", "\"manifest\": 1", ERR_FORMAT},
	{NULL, "manifest", "\"1\"", "\"manifest\": 1", ERR_FORMAT},
	{"graph", "fingerprint", "\"ff\"", "16 hexadecimal", ERR_FORMAT},
	{"graph", "fingerprint", "\"00000000000000fg\"", "16 hexadecimal", ERR_FORMAT},
	{NULL, "graph", "7", "16 hexadecimal", ERR_FORMAT},
	{"seeds", "draws", "4000000000", "each draw", ERR_FORMAT},
	{"seeds", "draws", "0", "each draw", ERR_FORMAT},
	{"seeds", "draws", "3", "each draw", ERR_FORMAT},
	{"seeds", "draws", "-2", "\"draws\"", ERR_FORMAT},
	{"seeds", "rng_seed", "1.5", "\"rng_seed\"", ERR_FORMAT},
	{"seeds", "rng_seed", "\"12x\"", "\"rng_seed\"", ERR_FORMAT},
	{"seeds", "fingerprints", "[1, 2]", "16 hexadecimal", ERR_FORMAT},
	{NULL, "policies", "[]", "no policy", ERR_FORMAT},
	{NULL, "policies", "[\"bfs\"]", "name and options", ERR_FORMAT},
	{NULL, "policies", "[{\"name\": \"ieca\", \"options\": {\"beta\": 1}}]", "texts",
		ERR_FORMAT},
	{NULL, "batch", "0", "batch", ERR_FORMAT},
	{NULL, "max_pages", "null", "\"max_pages\"", ERR_FORMAT},
	{NULL, "total", "-1", "\"total\"", ERR_FORMAT},
	{NULL, "tolerance", "\"x\"", "tolerance", ERR_FORMAT},
	{NULL, "tolerance", "2", "tolerance", ERR_FORMAT},
	{NULL, "numbers", "null", "16 hexadecimal", ERR_FORMAT},
};

static void what_is_amiss_is_told(void **state)
{
	struct manifest m;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof amiss / sizeof *amiss; i++) {
		json_t *root = json_loads(whole, 0, NULL);
		json_t *object = amiss[i].object ? json_object_get(root, amiss[i].object) : root;
		json_object_set_new(
			object, amiss[i].name, json_loads(amiss[i].value, JSON_DECODE_ANY, NULL));
		char *text = json_dumps(root, 0);
		assert_int_equal(
			manifest_parse(&m, text, strlen(text), "m.json", &why), amiss[i].err);
		if (!strstr(why.text, amiss[i].told) || strncmp(why.text, "m.json: ", 8) != 0)
			fail_msg("%s = %s: %s", amiss[i].name, amiss[i].value, why.text);
		manifest_release(&m);
		free(text);
		json_decref(root);
	}
}

/* Two graphs, the second as `second` has it. */
static int parse_two(struct manifest *m, const char *second, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	buf_format(
		&text, "{\"manifest\": 2, \"lycosa\": \"7\", \"graphs\": [%s, %s]}", whole, second);
	int err = manifest_parse(m, text.at, text.used, "m", why);
	buf_release(&text);
	return err;
}

static void a_manifest_of_several_graphs_has_all_of_each(void **state)
{
	static const struct {
		const char *name, *value, *told;
	} bad[] = {{"draws", "3", "each draw"}, {"tau", "false", "differ"},
		{"ties", "true", "differ"}, {"at", "[0.1, 0.45]", "differ"},
		{"at", "[0.1, 0.46, 1]", "differ"}, {"policies", "[]", "no policy"}};
	struct manifest m;
	struct err_note why;

	(void)state;
	json_t *second = json_loads(whole, 0, NULL);
	json_object_set_new(json_object_get(second, "graph"), "path", json_string("h.txt"));
	json_object_set_new(second, "batch", json_integer(9));
	char *text = json_dumps(second, 0);
	assert_int_equal(parse_two(&m, text, &why), 0);
	assert_int_equal(m.graphs, 2);
	assert_string_equal(manifest_of(&m, 0)->graph.graph, "g.txt");
	assert_string_equal(manifest_of(&m, 1)->graph.graph, "h.txt");
	assert_true(manifest_of(&m, 0)->policy.batch == 3 && manifest_of(&m, 1)->policy.batch == 9);
	assert_string_equal(m.version, "7");
	assert_true(manifest_of(&m, 1)->numbers == 0xdeadbeef);
	manifest_release(&m);
	free(text);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		json_t *other = json_deep_copy(second);
		json_t *object = i ? other : json_object_get(other, "seeds");
		json_object_set_new(
			object, bad[i].name, json_loads(bad[i].value, JSON_DECODE_ANY, NULL));
		text = json_dumps(other, 0);
		assert_int_equal(parse_two(&m, text, &why), ERR_FORMAT);
		if (!strstr(why.text, bad[i].told))
			fail_msg("%s = %s: %s", bad[i].name, bad[i].value, why.text);
		manifest_release(&m);
		free(text);
		json_decref(other);
	}
	json_decref(second);
	assert_int_equal(parse_two(&m, "7", &why), ERR_FORMAT);
	manifest_release(&m);
}

static void half_a_manifest_is_none(void **state)
{
	struct manifest m;
	struct err_note why;

	(void)state;
	for (size_t n = 0; n + 1 < sizeof whole - 1; n++) {
		assert_int_equal(manifest_parse(&m, whole, n, "m", &why), ERR_FORMAT);
		manifest_release(&m);
	}
	assert_int_equal(manifest_read(&m, "/nonexistent", &why), ERR_FILE);
	manifest_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_manifest_says_what_the_flags_would),
		cmocka_unit_test(what_is_amiss_is_told),
		cmocka_unit_test(a_manifest_of_several_graphs_has_all_of_each),
		cmocka_unit_test(half_a_manifest_is_none),
	};

	return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
