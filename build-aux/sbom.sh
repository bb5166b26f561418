#!/bin/sh
# The software bill of materials, SPDX 2.3 as tags and values: lycosa, and each library that it is built with, in the version that is
# installed here. The same tree and libraries give the same bytes.
# usage: build-aux/sbom.sh >lycosa.spdx
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^AC_INIT(\[lycosa\], \[\([^]]*\)\].*/\1/p' configure.ac)
time=${SOURCE_DATE_EPOCH-$(git log -1 --format=%ct 2>/dev/null || date -r NEWS +%s)}

# libraries: a line "module Debian-package" for each that configure asks for
libraries() {
	sed -n 's/^LYCOSA_NEED(\[[A-Z0-9]*\], \[\([^] ]*\)[^]]*\], \[\([^]]*\)\])/\1 \2/p' configure.ac | grep -v '^cmocka '
	pkg-config --exists libnats && echo "libnats libnats-dev"
}

# package ID NAME VERSION LICENCE SUPPLIER
package() {
	printf '\nPackageName: %s\nSPDXID: SPDXRef-%s\nPackageVersion: %s\nPackageSupplier: %s\nPackageDownloadLocation: NOASSERTION\n' "$2" "$1" "$3" "$5"
	printf 'FilesAnalyzed: false\nPackageLicenseConcluded: %s\nPackageLicenseDeclared: %s\nPackageCopyrightText: NOASSERTION\n' "$4" "$4"
}

parts=$(libraries | while read -r module debian; do echo "$module $debian $(pkg-config --modversion "$module")"; done)
sum=$(printf '%s\n' "$version" "$time" "$parts" | cksum | tr ' ' -)
cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: lycosa-$version
DocumentNamespace: https://spdx.org/spdxdocs/lycosa-$version-$sum
Creator: Tool: lycosa-sbom
Created: $(date -u -d "@$time" +%Y-%m-%dT%H:%M:%SZ)
END
package lycosa lycosa "$version" MIT NOASSERTION
echo "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-lycosa"
echo "$parts" | while read -r module debian its; do
	id=$(echo "$module" | tr -c 'A-Za-z0-9.\n' -)
	package "$id" "$module" "$its" NOASSERTION NOASSERTION
	echo "ExternalRef: PACKAGE-MANAGER purl pkg:deb/debian/$debian"
	echo "Relationship: SPDXRef-lycosa DEPENDS_ON SPDXRef-$id"
done
