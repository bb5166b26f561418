#!/bin/sh
# The comparison of interfaces (build-aux/abi.sh) on a small library: a change that programs of yesterday would not survive is an error, and
# is named; what is added beside the rest, and what the header does not show, is none. The kept interface of liblycosa has its structs.
. "$(dirname "$0")/../tap.sh"
needs abidw abidiff gcc
plan 10
cat >api.h <<'END'
struct opaque;
enum kind { KIND_A, KIND_B };
struct options {
	int first;
	const char *last;
};
struct hooks {
	int (*call)(struct opaque *, enum kind);
};
int run(struct opaque *, const struct options *);
int hook(struct opaque *, const struct hooks *);
END
cat >api.c <<'END'
#include "api.h"
struct opaque {
	int inside;
};
int run(struct opaque *o, const struct options *p)
{
	return o->inside + p->first;
}
int hook(struct opaque *o, const struct hooks *h)
{
	return h->call != 0 && o->inside;
}
END

# library FOLDER HEADER_EDIT SOURCE_EDIT: the library after these edits of sed
library() {
	mkdir -p "$1" && sed "$2" api.h >"$1/api.h" && sed "$3" api.c >"$1/api.c" &&
		(cd "$1" && gcc -w -g -shared -fPIC -o lib.so api.c)
}
compare() { "$top/build-aux/abi.sh" "$work/$1" "$work/$1/lib.so" "$work/$1/api.h" "$work/kept.abi"; }

library same '' ''
KEEP=1 compare same >/dev/null && status 0 compare same
result $? "a library has its own interface"

while IFS='|' read -r name said header source; do
	library changed "$header" "$source" || echo "it does not compile" >problem
	status 1 compare changed && { grep -q "$said" results || cat results >problem; }
	verdict "$name is an error"
done <<'END'
a field at the end of a struct|1 data member insertion|s/.*last;/& int more;/|
a field of another type|size changed from 128 to|s/int first;/long first[2];/|s/p->first/p->first[0]/
a parameter more of a hook|parameter 3|s/enum kind);/enum kind, int);/|
a function that is gone|1 Removed|/^int hook/d|s/^int hook/static &/
another value of a constant|KIND_B|s/KIND_A,/& KIND_NEW,/|
END

while IFS='|' read -r name header source; do
	library changed "$header" "$source" && status 0 compare changed
	result $? "$name is none"
done <<'END'
a further function|$a int more(void);|$a int more(void) { return 1; }
a further constant at the end|s/KIND_B/&, KIND_C/|
a field of a struct that the header does not show||s/int inside;/& int deep[7];/
END

sed -n 's/^struct \(lycosa_[a-z_]*\) {.*/\1/p' "$top/lib/lycosa.h" | while read -r name; do
	grep -q "<class-decl name='$name' size-in-bits" "$top/lib/lycosa.abi" || echo "lib/lycosa.abi does not say what struct $name has"
done >problem
verdict "the interface that is kept of liblycosa has the fields of each struct of lycosa.h"
