#!/usr/bin/env python3
"""Makes a WARC file of what HTTrack or wget2 leave behind, so that lycosa reads it (lycosa import, --graph).

    archive_of.py mirror/hts-cache/new.zip OUT.warc      the cache of HTTrack, which has each page as it came
    archive_of.py FOLDER OUT.warc                        a mirror by `wget2 -r --save-headers --protocol-directories`

HTTrack keeps scripts, images and the like in the mirror alone: they are left out. wget2 calls the page of a folder index.html, as this program
does if no other name is given: archive_of.py FOLDER OUT.warc default.htm."""
import os
import sys
import urllib.parse
import zipfile


def of_httrack(path):
    """Gives URL, head and body of each page in a cache. The head stands in the field for extra data."""
    with zipfile.ZipFile(path) as cache, open(path, "rb") as file:
        for entry in cache.infolist():
            file.seek(entry.header_offset + 26)
            name, extra = (int.from_bytes(file.read(2), "little") for _ in "12")
            file.seek(name, os.SEEK_CUR)
            fields = [line for line in file.read(extra).split(b"\r\n") if line and not line.startswith((b"X-In-", b"X-S", b"X-A", b"X-F"))]
            head = b"\r\n".join(fields)
            if entry.file_size or not head.startswith(b"HTTP/1.1 200"):
                yield entry.filename, head, cache.read(entry)


def of_mirror(folder, default):
    """Gives URL, head and body of each file in a mirror. The head stands before the body."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                head, _, body = file.read().partition(b"\r\n\r\n")
            scheme, _, rest = os.path.relpath(path, folder).partition("/")
            if head.startswith(b"HTTP/"):
                rest = rest[:-len(name)] if name == default else rest
                yield f"{scheme}://{urllib.parse.quote(rest, safe='/?:&=%+,;@!$()*~')}", head, body


def main():
    source, out = sys.argv[1:3]
    pages = of_httrack(source) if zipfile.is_zipfile(source) else of_mirror(source, (sys.argv[3:] or ["index.html"])[0])
    with open(out, "wb") as file:
        for url, head, body in pages:
            block = head + b"\r\n\r\n" + body
            file.write(b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\n"
                       b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % (url.encode(), len(block)))
            file.write(block + b"\r\n\r\n")


main()
