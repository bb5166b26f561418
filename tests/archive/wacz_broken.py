"""wacz_broken.py WACZ FOLDER: copies of a package, each with one thing broken, as FOLDER/NAME.wacz. Hashes and sizes fit what was changed,
unless they are what is broken."""
import gzip
import hashlib
import json
import os
import re
import sys
import zipfile

source, folder = sys.argv[1:]
with zipfile.ZipFile(source) as z:
    sound = {n: z.read(n) for n in z.namelist()}
warc = next(n for n in sound if n.startswith("archive/"))
PACKAGE, DIGEST, PAGES, INDEX = "datapackage.json", "datapackage-digest.json", "pages/pages.jsonl", "indexes/index.cdx"


def write(name, files, late=None, deflated=(), twice=None):
    """late(package, digest): what is done to the manifest when its hashes fit already."""
    package = json.loads(files[PACKAGE])
    package["resources"] = [r for r in package["resources"] if r["path"] in files] + [
        {"name": n.split("/")[-1].lower(), "path": n} for n in files
        if n not in [r["path"] for r in package["resources"]] and not n.startswith("datapackage")]
    for r in package["resources"]:
        r["hash"] = "sha256:" + hashlib.sha256(files[r["path"]]).hexdigest()
        r["bytes"] = len(files[r["path"]])
    digest = json.loads(files[DIGEST]) if DIGEST in files else {}
    if late:
        late(package, digest)
    files = {**files, PACKAGE: json.dumps(package).encode()}
    if DIGEST in files:
        if "hash" in digest and digest["hash"] != "kept":
            digest["hash"] = "sha256:" + hashlib.sha256(files[PACKAGE]).hexdigest()
        files[DIGEST] = json.dumps(digest).replace('"kept"', '"sha256:%064d"' % 0).encode()
    with zipfile.ZipFile(os.path.join(folder, name + ".wacz"), "w") as z:
        for n, data in list(files.items()) + ([(twice, files[twice])] if twice else []):
            z.writestr(zipfile.ZipInfo(n, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED if n in deflated else zipfile.ZIP_STORED)


def changed(name, file, change):
    files = dict(sound)
    files[file] = change(files[file])
    write(name, files)


def without(name, *gone):
    write(name, {n: d for n, d in sound.items() if n not in gone})


def manifest(name, change):
    write(name, dict(sound), lambda package, digest: change(package))


def lines(change):
    return lambda data: b"\n".join(change(data.rstrip(b"\n").split(b"\n"))) + b"\n"


def entry(**values):
    """Changes the JSON of the first line of the index."""
    def change(all_lines):
        key, stamp, text = all_lines[0].split(b" ", 2)
        value = json.loads(text)
        value.update(values)
        value = {k: v for k, v in value.items() if v is not None}
        return [b" ".join((key, stamp, json.dumps(value).encode()))] + all_lines[1:]
    return lines(change)


write("sound", dict(sound), deflated=(PAGES, PACKAGE, INDEX))
manifest("profile", lambda p: p.update(profile="data"))
manifest("version", lambda p: p.pop("wacz_version"))
manifest("created", lambda p: p.update(created="yesterday"))
manifest("main_page", lambda p: p.update(mainPageUrl="no url"))
manifest("title", lambda p: p.update(title=7))
manifest("no_resources", lambda p: p.pop("resources"))
manifest("unlisted", lambda p: p["resources"].pop())
manifest("listed_twice", lambda p: p["resources"].append(p["resources"][0]))
manifest("listed_only", lambda p: p["resources"].append({"name": "x", "path": "x", "hash": "sha256:00", "bytes": 1}))
manifest("hash", lambda p: p["resources"][0].update(hash="sha256:%064d" % 0))
manifest("bytes", lambda p: p["resources"][0].update(bytes=1))
write("digest_hash", dict(sound), lambda p, d: d.update(hash="kept"))
write("digest_path", dict(sound), lambda p, d: d.update(path="x.json"))
without("no_digest", DIGEST)
without("no_pages", PAGES)
without("no_index", INDEX)
without("no_archive", warc)
changed("pages_heading", PAGES, lines(lambda a: [a[0].replace(b"json-pages-1.0", b"x")] + a[1:]))
changed("pages_without_heading", PAGES, lines(lambda a: a[1:]))
changed("page_without_url", PAGES, lines(lambda a: a[:-1] + [a[-1].replace(b'"url"', b'"uri"')]))
changed("page_time", PAGES, lines(lambda a: a[:-1] + [re.sub(rb'"ts":"[^"]*"', b'"ts":"2026-13-01"', a[-1])]))
changed("page_not_captured", PAGES, lines(lambda a: a[:-1] + [re.sub(rb'"ts":"[^"]*"', b'"ts":"2001-01-01T00:00:00Z"', a[-1])]))
changed("page_no_json", PAGES, lines(lambda a: a + [b"{"]))
changed("index_order", INDEX, lines(lambda a: a[::-1]))
changed("index_key", INDEX, lines(lambda a: [b"aaa)/ " + a[0].split(b" ", 1)[1]] + a[1:]))
changed("index_time", INDEX, lines(lambda a: [re.sub(rb" \d{14} ", b" 20010101000000 ", a[0])] + a[1:]))
changed("index_digits", INDEX, lines(lambda a: [re.sub(rb" \d{14} ", b" 2001 ", a[0])] + a[1:]))
changed("index_missing", INDEX, lines(lambda a: a[1:]))
changed("index_offset", INDEX, entry(offset=1))
changed("index_length", INDEX, entry(length=1))
changed("index_url", INDEX, entry(url="http://other.test/"))
changed("index_digest", INDEX, entry(digest="sha1:" + "A" * 32))
changed("index_status", INDEX, entry(status="999"))
changed("index_file", INDEX, entry(filename="other.warc.gz"))
changed("index_no_mime", INDEX, entry(mime=None))
changed("warc_digest", warc, lambda data: gzip.compress(re.sub(rb"(WARC-Payload-Digest: sha1:).", rb"\g<1>A",
                                                              gzip.decompress(data[:0]) or gzip.decompress(data), count=1), mtime=0))
write("warc_deflated", dict(sound), deflated=(warc,))
write("warc_name", {n if n != warc else "archive/data": d for n, d in sound.items()})
write("foreign", {**sound, "archive/readme.txt": b"x"})
write("folder", {**sound, "index/x.cdx": b""})
write("leads_out", {**sound, "../x": b"x"})
write("twice", dict(sound), twice=PAGES)
with open(source, "rb") as f:
    data = f.read()
open(os.path.join(folder, "cut.wacz"), "wb").write(data[:-40])
at = data.index(b"PK\1\2")
open(os.path.join(folder, "crc.wacz"), "wb").write(data[:at + 16] + b"\0\0\0\0" + data[at + 20:])
open(os.path.join(folder, "name.zip"), "wb").write(data)
