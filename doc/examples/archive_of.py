#!/usr/bin/env python3
"""Makes a WARC file of what HTTrack or wget2 leave behind, so that lycosa reads it (lycosa import, --graph).

    archive_of.py mirror/hts-cache/new.zip OUT.warc      the cache of HTTrack, which has each page as it came
    archive_of.py FOLDER OUT.warc                        a mirror by `wget2 -r --save-headers --protocol-directories`

HTTrack keeps scripts, images and the like in the mirror alone: they are left out. It keeps no time of a page either: all have that of the cache.

The folders of wget2's mirror leave things out, which can be said: --port 8080, of all hosts in it, and --index default.htm, what wget2 called
the page of a folder by its --default-page. That page is taken as the one at the folder's own URL, x/ and not x/index.html."""
import argparse
import email.utils
import os
import time
import urllib.parse
import uuid
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


def of_mirror(folder, index, port):
    """Gives URL, head and body of each file in a mirror. The head stands before the body."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                head, _, body = file.read().partition(b"\r\n\r\n")
            scheme, _, rest = os.path.relpath(path, folder).partition("/")
            if head.startswith(b"HTTP/"):
                rest = rest[:-len(name)] if name == index else rest
                rest = rest.replace("/", f":{port}/", 1) if port else rest
                yield f"{scheme}://{urllib.parse.quote(rest, safe='/?:&=%+,;@!$()*~')}", head, body


def when(head, otherwise):
    """Says when the server answered with this head, in the form of WARC."""
    dates = [line[5:].decode("latin-1") for line in head.split(b"\r\n") if line.lower().startswith(b"date:")]
    parsed = email.utils.parsedate_tz(dates[0]) if dates else None
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(email.utils.mktime_tz(parsed) if parsed else otherwise))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--index", default="index.html")
    parser.add_argument("--port", type=int)
    args = parser.parse_args()
    pages = of_httrack(args.source) if zipfile.is_zipfile(args.source) else of_mirror(args.source, args.index, args.port)
    made = os.stat(args.source).st_mtime
    with open(args.out, "wb") as file:

        def record(kind, date, media, block, uri=""):
            name = uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {uri} {date}")
            fields = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:uuid:{name}>", f"WARC-Date: {date}"]
            fields += [f"WARC-Target-URI: {uri}"] if uri else []
            fields += [f"Content-Type: {media}", f"Content-Length: {len(block)}"]
            file.write("\r\n".join(fields).encode() + b"\r\n\r\n" + block + b"\r\n\r\n")

        record("warcinfo", when(b"", made), "application/warc-fields", b"software: archive_of.py\r\nformat: WARC File Format 1.1\r\n")
        for url, head, body in pages:
            record("response", when(head, made), "application/http; msgtype=response", head + b"\r\n\r\n" + body, url)


main()
