#!/bin/sh
# Builds the wheel of a build, installs it into a new virtual environment, and uses it there: the library is the wheel's own, a policy in
# Python takes the pages in the order of its twin in C, and the blocks of doc/python.md say what the page says. The types are checked, too.
# usage: build-aux/check-wheel.sh BUILD_FOLDER FOLDER     (needs what build-aux/wheel.sh needs, python3-venv, python3-numpy and mypy)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
unset PYTHONPATH LYCOSA_LIBRARY LD_LIBRARY_PATH

wheel=$("$here/build-aux/wheel.sh" "$build" "$folder")
rm -rf "$folder/environment" "$folder/used"
# numpy and pandas are the system's, since there may be no network
"${PYTHON:-/usr/bin/python3}" -m venv --system-site-packages "$folder/environment"
python=$folder/environment/bin/python
"$python" -m pip install --quiet --no-index --no-deps --disable-pip-version-check "$wheel"
mkdir "$folder/used"
cd "$folder/used"
"$python" -m lycosa >said
grep -qF "$folder/environment/" said || { echo "the wheel's module has loaded another library: $(cat said)" >&2; exit 1; }
libraries=$(dirname "$("$python" -c 'import lycosa; print(lycosa.__file__)')")/lib
foreign=$(ldd "$libraries"/* | awk '$2 == "=>" { print $3 }' | grep -v "^$libraries/" | grep -v -e '/libc\.so' -e '/libm\.so' -e '/libpthread\.so' \
	-e '/libdl\.so' -e '/librt\.so' -e '/libgcc_s\.so' -e '/libstdc++\.so' -e '/ld-linux' || :)
[ -z "$foreign" ] || { echo "the wheel needs libraries that not every Linux has: $foreign" >&2; exit 1; }
PATH=$build:$PATH "$python" "$here/tests/lib/python_page.py" "$here/doc/python.md" >page.tap
! grep '^not ok' page.tap
PATH=$build:$PATH lycosa graph convert --graph web.txt --to bvgraph web
"$python" "$here/tests/lib/python_module.py" >module.tap
! grep '^not ok' module.tap
"${PYTHON:-/usr/bin/python3}" -m mypy --strict --python-executable "$python" "$here/tests/lib/python_types.py" >types ||
	{ cat types >&2; exit 1; }
printf '[mypy]\nignore_missing_imports = True\n' >mypy.ini # pandas has no types
echo 'lycosa\.[a-z_]+(\..*)?' >inner # the modules inside, which have no types of their own
"$python" -m mypy.stubtest --ignore-missing-stub --ignore-unused-allowlist --allowlist inner --mypy-config-file mypy.ini lycosa >stubs || { cat stubs >&2; exit 1; }
echo "$(basename "$wheel"): $(grep -c '^ok' page.tap) blocks of doc/python.md, $(grep -c '^ok' module.tap) tests of the module, and its types hold"
