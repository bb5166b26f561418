#!/bin/sh
# Makes a Python wheel of a build: the module, liblycosa, and the libraries that it needs beyond those of every Linux, which find each
# other wherever the wheel is installed. The wheel's tag names the oldest glibc that it runs on, which is that of the machine of the build
# or an older one.
# usage: build-aux/wheel.sh BUILD_FOLDER [OUT_FOLDER]     (needs patchelf, objdump, and python3 with the module wheel; `make wheel`)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
out=${2:-$1}
python=${PYTHON:-/usr/bin/python3}
for program in patchelf objdump "$python"; do
	command -v "$program" >/dev/null || { echo "wheel.sh: $program is needed" >&2; exit 1; }
done
"$python" -c 'import wheel' 2>/dev/null || { echo "wheel.sh: the Python module wheel is needed (Debian: python3-wheel)" >&2; exit 1; }
[ -f "$build/liblycosa.so" ] || { echo "wheel.sh: $build has no liblycosa.so: build it first" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n "s/^PACKAGE_VERSION = //p" "$build/Makefile")
tree=$work/lycosa-$version
libraries=$tree/lycosa/lib
mkdir -p "$libraries" "$tree/lycosa-$version.dist-info"
cp "$here"/lib/python/lycosa/*.py "$here"/lib/python/lycosa/*.pyi "$here/lib/python/lycosa/py.typed" "$tree/lycosa"
cat >"$tree/lycosa/_where.py" <<'END'
from pathlib import Path

LIBRARY = str(Path(__file__).parent / "lib" / "liblycosa.so.0")
END

# what each Linux with this glibc has (PEP 600), and so stays outside
is_of_every_linux() {
	case $1 in
	linux-vdso.* | ld-linux* | libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libgcc_s.so.* | libstdc++.so.*) return 0 ;;
	esac
	return 1
}
cp -L "$build/liblycosa.so" "$libraries/liblycosa.so.0"
ldd "$build/liblycosa.so" | awk '$2 == "=>" { print $1, $3 }' | while read -r name path; do
	is_of_every_linux "$name" || cp -L "$path" "$libraries/$name"
done
strip --strip-unneeded "$libraries"/*
for library in "$libraries"/*; do
	# shellcheck disable=SC2016 # the loader's word
	patchelf --set-rpath '$ORIGIN' "$library"
done

glibc=$(for library in "$libraries"/*; do objdump -T "$library"; done | grep -o 'GLIBC_[0-9.]*' | sort -u -t _ -k 2 -V | tail -n 1)
tag=py3-none-manylinux_$(echo "${glibc#GLIBC_}" | cut -d . -f 1,2 | tr . _)_$(uname -m)
cat >"$tree/lycosa-$version.dist-info/METADATA" <<END
Metadata-Version: 2.1
Name: lycosa
Version: $version
Summary: Link graphs, crawl policies, and the parsers and stores of a web crawler
License: MIT
Requires-Python: >=3.8
Requires-Dist: numpy
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
Description-Content-Type: text/markdown

$(sed '/^```/,/^```/d' "$here/doc/python.md" | sed -n '3,7p')
END
cat >"$tree/lycosa-$version.dist-info/WHEEL" <<END
Wheel-Version: 1.0
Generator: lycosa
Root-Is-Purelib: false
Tag: $tag
END
cp "$here/LICENSE" "$tree/lycosa-$version.dist-info"
mkdir -p "$out"
"$python" -m wheel pack --dest-dir "$out" "$tree" >/dev/null
echo "$out/lycosa-$version-$tag.whl"
