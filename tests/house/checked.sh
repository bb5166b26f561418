#!/bin/sh
# No record of a store can be read before the store is checked, or without a look at whether there is one: such code does not compile.
. "$(dirname "$0")/../tap.sh"
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
plan 9

# compiles BODY: of a function that has a checked store, a suspect one, a page and what a page has
compiles() {
	cat >use.c <<-END
		#include "storage/store.h"
		#include "storage/store_merge.h"
		int use(struct store *store, struct suspect *suspect, uint32_t id);
		int use(struct store *store, struct suspect *suspect, uint32_t id)
		{
			struct store_page page;
			struct result result;
			const uint32_t *links;
			const char *text = "";
			size_t n = 0;
			(void)store, (void)suspect, (void)id, (void)page, (void)result, (void)links, (void)text, (void)n;
			$1
			return 0;
		}
	END
	$cc -std=c11 -D_GNU_SOURCE -Wall -Werror -I "$top" -fsyntax-only use.c 2>problem
}

compiles 'if (store_page(store, id, &page)) text = page.url;
	if (store_result(store, id, &result)) n = store_links(store, id, &links, NULL);'
result $? "records of a checked store are read"
while read -r body; do
	compiles "$body" && echo "this compiles: $body" >problem && false || : >problem
	verdict "it does not compile: $body"
done <<'END'
return store_page(suspect, id, &page) && store_result(suspect, id, &result);
n = store_links(suspect, id, &links, NULL);
text = store_get(suspect, "policy");
return store_dump(suspect, NULL, NULL);
text = suspect->store.env.folder;
store_page(store, id, &page); text = page.url;
store_result(store, id, &result); return result.status;
store_links(store, id, &links, NULL); return (int)links[0];
END
