#!/usr/bin/env python3
"""wacz_rules.py FILE...: judge WACZ packages by the text of the specifications alone.

Written from WACZ 1.1.1, CDXJ 0.1.0, WACZ signing 0.1.0, Frictionless data packages, RFC 3339 and WARC 1.1 (ISO 28500:2017), and
from no line of lycosa: it shares no code with the writer, nor with `lycosa archive check`, so the three can be set against each
other. A finding is a line `FILE: RULE: what`; the last line counts them. Exit status 0 means that nothing was found.
"""
import base64
import datetime
import gzip
import hashlib
import json
import re
import struct
import sys
import urllib.parse
import zipfile
import zlib

RFC3339 = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"
                     r"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$")
WARC_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z)?)?)?$")
TYPES = {"warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation"}
OWN_FOLDERS = {"archive", "indexes", "pages"}
TARGET_NEEDED = {"response", "resource", "request", "revisit", "conversion", "continuation"}
FORBIDDEN = {  # field: the types of record in which WARC 1.1 does not allow it
    "warc-concurrent-to": {"warcinfo", "conversion", "continuation"},
    "warc-refers-to": {"warcinfo", "response", "resource", "request", "continuation"},
    "warc-refers-to-target-uri": TYPES - {"revisit"},
    "warc-refers-to-date": TYPES - {"revisit"},
    "warc-profile": TYPES - {"revisit"},
    "warc-filename": TYPES - {"warcinfo"},
    "warc-warcinfo-id": {"warcinfo"},
    "warc-target-uri": {"warcinfo"},
    "warc-ip-address": {"warcinfo", "conversion", "continuation"},
    "warc-segment-total-length": TYPES - {"continuation"},
    "warc-segment-origin-id": TYPES - {"continuation"},
}
PROFILES = {"http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
            "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
            "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest",
            "http://netpreserve.org/warc/1.0/revisit/server-not-modified"}


class Judge:
    def __init__(self, name):
        self.name, self.count = name, 0

    def find(self, rule, text):
        self.count += 1
        print(f"{self.name}: {rule}: {text}")


def is_url(text):
    if not isinstance(text, str):
        return False
    parts = urllib.parse.urlsplit(text)
    return bool(parts.scheme) and (parts.scheme not in ("http", "https") or bool(parts.netloc)) and not re.search(r"\s", text)


def digest_of(value, data):
    """The named digest of data in the same writing as value, or None for an algorithm not known here."""
    name, _, digits = value.partition(":")
    algorithm = name.lower().replace("-", "")
    if algorithm not in ("sha1", "sha256", "sha512", "md5"):
        return None
    h = hashlib.new(algorithm, data)
    if len(digits) == h.digest_size * 2:
        return f"{name}:{h.hexdigest()}" if digits == digits.lower() else f"{name}:{h.hexdigest().upper()}"
    return f"{name}:{base64.b32encode(h.digest()).decode().rstrip('=')}"


def unique(pairs):
    names = [k for k, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a name stands twice in one object")
    return dict(pairs)


def parse_json(judge, rule, where, data):
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=unique)
    except (UnicodeDecodeError, ValueError) as e:
        judge.find(rule, f"{where} is no JSON in UTF-8: {e}")
        return None
    if not isinstance(value, dict):
        judge.find(rule, f"{where} is no JSON object")
        return None
    return value


def zip_members(judge, path):
    """{name: (stored bytes as they lie, contents, method, offset of the contents)}, each local header held against the directory."""
    members = {}
    raw = open(path, "rb").read()
    try:
        z = zipfile.ZipFile(path)
        infos = z.infolist()
    except (zipfile.BadZipFile, NotImplementedError) as e:
        judge.find("zip", str(e))
        return None
    end = 0
    for info in sorted(infos, key=lambda i: i.header_offset):
        n = info.filename
        if n in members:
            judge.find("zip", f"{n} stands twice")
        if n.startswith("/") or "\\" in n or ".." in n.split("/") or "\0" in info.orig_filename:
            judge.find("zip", f"the name {n!r} leads out of the package")
        if info.flag_bits & 1:
            judge.find("zip", f"{n} is encrypted")
        if any(ord(c) > 127 for c in n) and not info.flag_bits & 0x800:
            judge.find("zip", f"{n!r} is not marked as UTF-8")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            judge.find("zip", f"{n} has method {info.compress_type}, neither stored nor deflated")
            continue
        head = raw[info.header_offset:info.header_offset + 30]
        if len(head) < 30 or head[:4] != b"PK\3\4":
            judge.find("zip", f"{n} has no local header at {info.header_offset}")
            continue
        flags, method, _, _, crc, packed, size, nlen, xlen = struct.unpack("<HHHHIIIHH", head[6:30])
        start = info.header_offset + 30 + nlen + xlen
        if raw[info.header_offset + 30:start - xlen] != info.orig_filename.encode("utf-8"):
            judge.find("zip", f"the local header of {n} bears another name")
        if method != info.compress_type:
            judge.find("zip", f"the local header of {n} has another method")
        if not flags & 8 and (crc != info.CRC or (packed, size) != (info.compress_size, info.file_size)) and packed != 0xFFFFFFFF:
            judge.find("zip", f"the local header of {n} has other sizes or another CRC than the directory")
        if info.header_offset < end:
            judge.find("zip", f"{n} overlaps the member before it")
        end = start + info.compress_size
        try:
            data = z.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError) as e:
            judge.find("zip", f"{n}: {e}")
            continue
        if not n.endswith("/"):
            members[n] = (raw[start:end], data, info.compress_type, start)
    return members


def check_package(judge, members):
    data = members.get("datapackage.json")
    if data is None:
        judge.find("datapackage", "datapackage.json is missing at the root")
        return
    package = parse_json(judge, "datapackage", "datapackage.json", data[1])
    if package is None:
        return
    if package.get("profile") != "data-package":
        judge.find("datapackage", f"profile is {package.get('profile')!r}, not 'data-package'")
    if not re.match(r"\d+\.\d+(\.\d+)?$", str(package.get("wacz_version", ""))):
        judge.find("datapackage", f"wacz_version is {package.get('wacz_version')!r}")
    for name in ("created", "modified", "mainPageDate"):
        if name in package and not RFC3339.match(str(package[name])):
            judge.find("datapackage", f"{name} is no RFC 3339 time: {package[name]!r}")
    for name in ("title", "description", "software"):
        if name in package and not isinstance(package[name], str):
            judge.find("datapackage", f"{name} is no string")
    for name in ("mainPageUrl", "mainPageURL"):
        if name in package and not is_url(package[name]):
            judge.find("datapackage", f"{name} is no URL")
    resources = package.get("resources")
    if not isinstance(resources, list) or not resources:
        judge.find("resources", "resources is no list with entries")
        return
    listed, names = set(), set()
    for r in resources:
        if not isinstance(r, dict) or not isinstance(r.get("path"), str) or not isinstance(r.get("name"), str):
            judge.find("resources", f"a resource without name or path: {r!r}")
            continue
        path = r["path"]
        if path in listed:
            judge.find("resources", f"{path} is listed twice")
        if r["name"] in names:
            judge.find("resources", f"the name {r['name']} is given twice")
        if not re.match(r"[-a-z0-9._]+$", r["name"]):
            judge.find("resources", f"the name {r['name']!r} has other characters than a-z, 0-9, '.', '-' and '_'")
        listed.add(path)
        names.add(r["name"])
        if path not in members:
            judge.find("resources", f"{path} is listed and not in the package")
            continue
        if type(r.get("bytes")) is not int or r["bytes"] != len(members[path][1]):
            judge.find("resources", f"{path} has {len(members[path][1])} bytes, listed {r.get('bytes')!r}")
        h = r.get("hash")
        if not isinstance(h, str) or not re.match(r"(sha256|sha512|sha1|md5):[0-9a-f]+$", h):
            judge.find("resources", f"{path} has the hash {h!r}")
        elif digest_of(h, members[path][1]) != h:
            judge.find("resources", f"{path} does not have the listed hash")
    for m in members:
        if m not in listed and m not in ("datapackage.json", "datapackage-digest.json"):
            judge.find("resources", f"{m} is in the package and not listed")
    if "mainPageUrl" in package and "pages/pages.jsonl" in members:
        if json.dumps(package["mainPageUrl"])[1:-1] not in members["pages/pages.jsonl"][1].decode("utf-8", "replace"):
            judge.find("datapackage", "mainPageUrl is no page of pages/pages.jsonl")
    check_digest(judge, members, data[1])


def check_digest(judge, members, package):
    if "datapackage-digest.json" not in members:
        judge.find("digest", "datapackage-digest.json is missing (SHOULD)")
        return
    digest = parse_json(judge, "digest", "datapackage-digest.json", members["datapackage-digest.json"][1])
    if digest is None:
        return
    if digest.get("path") != "datapackage.json":
        judge.find("digest", f"path is {digest.get('path')!r}")
    h = digest.get("hash")
    if not isinstance(h, str) or digest_of(h, package) != h:
        judge.find("digest", "hash is not that of datapackage.json")
    signed = digest.get("signedData")
    if signed is not None:
        for name in ("hash", "created", "software", "signature"):
            if not isinstance(signed.get(name), str):
                judge.find("digest", f"signedData has no {name}")
        if signed.get("hash") != h:
            judge.find("digest", "signedData is of another hash")


def check_pages(judge, members):
    if "pages/pages.jsonl" not in members:
        judge.find("pages", "pages/pages.jsonl is missing")
    ids = {}
    for name, (_, data, _, _) in members.items():
        if not name.startswith("pages/"):
            continue
        if not name.endswith(".jsonl") or name.count("/") != 1:
            judge.find("pages", f"{name} is no JSON lines file of pages/")
            continue
        lines = data.split(b"\n")
        if lines and lines[-1] == b"":
            lines.pop()
        head = parse_json(judge, "pages", f"{name}: line 1", lines[0]) if lines else None
        if head is None or head.get("format") != "json-pages-1.0" or not isinstance(head.get("id"), str) or "title" not in head:
            judge.find("pages", f"{name}: the first line is no heading with format json-pages-1.0, id and title")
        for i, line in enumerate(lines[1:], 2):
            where = f"{name}: line {i}"
            page = parse_json(judge, "pages", where, line)
            if page is None:
                continue
            if not is_url(page.get("url")):
                judge.find("pages", f"{where}: url is {page.get('url')!r}")
            if not RFC3339.match(str(page.get("ts"))):
                judge.find("pages", f"{where}: ts is {page.get('ts')!r}")
            for k in ("title", "id", "text"):
                if k in page and not isinstance(page[k], str):
                    judge.find("pages", f"{where}: {k} is no string")
            if "size" in page and (type(page["size"]) is not int or page["size"] < 0):
                judge.find("pages", f"{where}: size is {page['size']!r}")
            if page.get("id") in ids and "id" in page:
                judge.find("pages", f"{where}: the id {page['id']} stands twice")
            ids[page.get("id")] = where
            yield where, page


def searchable(url):
    parts = urllib.parse.urlsplit(url.lower())
    host = parts.hostname or ""
    labels = [host] if ":" in host or re.match(r"[\d.]+$", host) else list(reversed(host.split(".")))
    return ",".join(labels)


def check_index_line(judge, where, line, records):
    fields = line.split(b" ", 2)
    if len(fields) != 3:
        judge.find("cdxj", f"{where}: not three fields")
        return None
    if not re.match(rb"\d{14}(\d{3})?$", fields[1]):
        judge.find("cdxj", f"{where}: the time {fields[1].decode('latin1')} has neither 14 nor 17 digits")
    entry = parse_json(judge, "cdxj", where, fields[2])
    if entry is None:
        return None
    for k in ("url", "digest", "mime", "filename", "offset", "length"):
        if k not in entry:
            judge.find("cdxj", f"{where}: no {k}")
            return None
    if "status" not in entry and entry["mime"] != "warc/revisit" and str(entry["url"]).startswith("http"):
        judge.find("cdxj", f"{where}: no status")
    key, url = fields[0].decode("utf-8", "replace"), entry["url"]
    host = key.partition(")")[0].split(":")[0]
    wanted = searchable(url)
    if ")" not in key or host not in (wanted, re.sub(r",www\d*$", "", wanted)) and "." not in wanted:
        judge.find("cdxj", f"{where}: the key {key} is not of {url}")
    try:
        at, length = int(entry["offset"]), int(entry["length"])
    except (TypeError, ValueError):
        judge.find("cdxj", f"{where}: offset or length is no number")
        return None
    record = records.get((entry["filename"], at))
    if record is None:
        judge.find("cdxj", f"{where}: no record begins at {at} of {entry['filename']}")
        return None
    if record["length"] != length:
        judge.find("cdxj", f"{where}: the record has {record['length']} bytes, listed {length}")
    if record["fields"].get("warc-target-uri", "").strip("<>") != url:
        judge.find("cdxj", f"{where}: the record is of {record['fields'].get('warc-target-uri')}, listed {url}")
    stamp = re.sub(r"\D", "", record["fields"].get("warc-date", ""))[:14]
    if stamp != fields[1].decode("latin1")[:14]:
        judge.find("cdxj", f"{where}: the record is of {stamp}, listed {fields[1].decode('latin1')}")
    payload = record["fields"].get("warc-payload-digest")
    if payload and entry["digest"].split(":")[-1].lower() != payload.split(":")[-1].lower():
        judge.find("cdxj", f"{where}: the digest is not the record's WARC-Payload-Digest")
    if record["status"] is not None and "status" in entry and str(entry["status"]) != record["status"]:
        judge.find("cdxj", f"{where}: the status is {record['status']}, listed {entry['status']}")
    return url, stamp, (entry["filename"], at)


def index_lines(judge, name, members):
    """The lines of one index. A compressed one with a summary is read block by block, as its summary says."""
    stored, data, _, _ = members[name]
    summary = name[:-len(".cdx.gz")] + ".idx" if name.endswith(".cdx.gz") else None
    if summary not in members:
        try:
            return (gzip.decompress(data) if name.endswith(".gz") else data).splitlines()
        except (OSError, EOFError, zlib.error) as e:
            judge.find("cdxj", f"{name}: {e}")
            return []
    lines, last, end = [], b"", 0
    for i, line in enumerate(members[summary][1].splitlines(), 1):
        where = f"{summary}: line {i}"
        if line.startswith(b"!meta"):
            continue
        try:
            key, _, rest = line.partition(b"{")
            block = json.loads(b"{" + rest)
            part = data[block["offset"]:block["offset"] + block["length"]]
            text = gzip.decompress(part)
        except (ValueError, KeyError, TypeError, OSError, EOFError, zlib.error) as e:
            judge.find("zipnum", f"{where}: {e}")
            continue
        if block["offset"] != end:
            judge.find("zipnum", f"{where}: the block does not follow the one before it")
        end = block["offset"] + block["length"]
        if key < last:
            judge.find("zipnum", f"{where}: keys are not sorted")
        last = key
        if not text.startswith(key.strip()):
            judge.find("zipnum", f"{where}: the key is not that of the first line of the block")
        if "digest" in block and digest_of(block["digest"], part) != block["digest"]:
            judge.find("zipnum", f"{where}: the digest is not that of the block")
        if block.get("filename", name.split("/")[-1]) != name.split("/")[-1]:
            judge.find("zipnum", f"{where}: filename is {block['filename']}")
        lines += text.splitlines()
    if end != len(data):
        judge.find("zipnum", f"{summary}: covers {end} of {len(data)} bytes of {name}")
    return lines


def check_indexes(judge, members, records, pages):
    names = [n for n in members if n.startswith("indexes/")]
    if not [n for n in names if not n.endswith(".idx")]:
        judge.find("cdxj", "indexes/ has no index")
    seen, captures = set(), set()
    for name in names:
        if not re.search(r"\.(cdx|cdxj|cdx\.gz|cdxj\.gz|idx)$", name):
            judge.find("cdxj", f"{name} has no ending of an index")
        if name.endswith(".idx"):
            continue
        last = b""
        for i, line in enumerate(index_lines(judge, name, members), 1):
            if line.startswith(b"!"):
                continue
            if line < last:
                judge.find("cdxj", f"{name}: line {i} sorts before the line above it")
            last = line
            entry = check_index_line(judge, f"{name}: line {i}", line, records)
            if entry:
                if entry[2] in seen:
                    judge.find("cdxj", f"{name}: line {i}: the record is listed twice")
                seen.add(entry[2])
                captures.add(entry[:2])
    for at, r in records.items():
        if r["fields"].get("warc-type") in ("response", "revisit", "resource") and at not in seen:
            judge.find("cdxj", f"the record at {at[1]} of {at[0]} is in no index")
    for where, page in pages:
        stamp = re.sub(r"\D", "", str(page.get("ts")))[:14]
        if (page.get("url"), stamp) not in captures:
            judge.find("pages", f"{where}: no capture of {page.get('url')} at {page.get('ts')} is indexed")


def chunked_body(body):
    out = b""
    while True:
        m = re.match(rb"([0-9A-Fa-f]+)[^\r\n]*\r\n", body)
        if not m:
            return None
        n = int(m.group(1), 16)
        if n == 0:
            return out
        out, body = out + body[m.end():m.end() + n], body[m.end() + n + 2:]


def check_record(judge, where, data, ids):
    head, sep, rest = data.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    if not sep or lines[0] not in (b"WARC/1.1", b"WARC/1.0"):
        judge.find("warc", f"{where}: no record of WARC 1.1 or 1.0 begins here")
        return None, data
    fields = {}
    for line in lines[1:]:
        name, colon, value = line.partition(b":")
        key = name.decode("latin1").lower()
        if not colon or not re.match(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+$", name):
            judge.find("warc", f"{where}: {line!r} is no field")
        elif key in fields and key.startswith(("warc-", "content-")) and key != "warc-concurrent-to":
            judge.find("warc", f"{where}: {key} stands twice")
        fields[key] = value.strip().decode("utf-8", "replace")
    kind = fields.get("warc-type")
    for need in ("warc-record-id", "warc-date", "warc-type", "content-length"):
        if need not in fields:
            judge.find("warc", f"{where}: no {need}")
    if kind in TARGET_NEEDED and "warc-target-uri" not in fields:
        judge.find("warc", f"{where}: a {kind} without WARC-Target-URI")
    for key, types in FORBIDDEN.items():
        if key in fields and kind in types:
            judge.find("warc", f"{where}: {key} in a {kind}")
    if kind == "revisit" and fields.get("warc-profile") not in PROFILES:
        judge.find("warc", f"{where}: a revisit of profile {fields.get('warc-profile')!r}")
    if kind == "revisit" and "warc-payload-digest" not in fields and "identical" in fields.get("warc-profile", ""):
        judge.find("warc", f"{where}: a revisit by digest without WARC-Payload-Digest")
    if not WARC_DATE.match(fields.get("warc-date", "")):
        judge.find("warc", f"{where}: WARC-Date {fields.get('warc-date')!r}")
    for key in ("warc-target-uri", "warc-refers-to-target-uri"):
        if key in fields and not is_url(fields[key].strip("<>")):
            judge.find("warc", f"{where}: {key} {fields[key]!r} is no URI")
    for key in ("warc-record-id", "warc-concurrent-to", "warc-refers-to", "warc-warcinfo-id"):
        if key in fields and not re.match(r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]+>$", fields[key]):
            judge.find("warc", f"{where}: {key} {fields[key]!r} is no URI in angle brackets")
    if fields.get("warc-record-id") in ids:
        judge.find("warc", f"{where}: the record id {fields.get('warc-record-id')} stands twice")
    ids.add(fields.get("warc-record-id"))
    if not fields.get("content-length", "").isdigit():
        judge.find("warc", f"{where}: Content-Length {fields.get('content-length')!r}")
        return None, b""
    n = int(fields["content-length"])
    block, tail = rest[:n], rest[n:]
    if len(block) < n or tail[:4] != b"\r\n\r\n":
        judge.find("warc", f"{where}: the block of {n} bytes is not followed by two line ends")
    if n and "content-type" not in fields and kind != "continuation":
        judge.find("warc", f"{where}: a block without Content-Type (SHOULD)")
    check_block(judge, where, kind, fields, block)
    status = re.match(rb"HTTP/\d(?:\.\d)? (\d{3})", block) if kind in ("response", "revisit") else None
    return {"fields": fields, "status": status.group(1).decode() if status else None}, tail[4:]


def check_block(judge, where, kind, fields, block):
    d = fields.get("warc-block-digest")
    if d and digest_of(d, block) not in (None, d):
        judge.find("warc", f"{where}: WARC-Block-Digest is not that of the block")
    http = fields.get("content-type", "").lower().replace(" ", "").startswith("application/http")
    if kind == "response" and fields.get("warc-target-uri", "").startswith("http") and not http:
        judge.find("warc", f"{where}: a response over HTTP of type {fields.get('content-type')!r}")
    payload = block
    if http:
        head, sep, payload = block.partition(b"\r\n\r\n")
        if not sep or kind == "response" and not head.startswith(b"HTTP/"):
            judge.find("warc", f"{where}: the block is no HTTP message")
        if re.search(rb"(?i)\r\ntransfer-encoding:[ \t]*chunked", head):
            payload = chunked_body(payload)
    d = fields.get("warc-payload-digest")
    if d and kind in ("response", "resource") and "warc-truncated" not in fields and payload is not None \
            and digest_of(d, payload) not in (None, d):
        judge.find("warc", f"{where}: WARC-Payload-Digest is not that of the payload")


def check_warc(judge, name, data, ids, records):
    """Each record of one file, at the offsets that an index must name; a compressed file has one member a record."""
    short, at, known = name[len("archive/"):], 0, {}
    while at < len(data):
        where = f"{name} at {at}"
        if name.endswith(".gz"):
            d = zlib.decompressobj(31)
            try:
                text = d.decompress(data[at:])
            except zlib.error as e:
                judge.find("warc", f"{where}: {e}")
                return
            if not d.eof:
                judge.find("warc", f"{where}: a gzip member without an end")
                return
            length = len(data) - at - len(d.unused_data)
            record, rest = check_record(judge, where, text, ids)
            if rest:
                judge.find("warc", f"{where}: more than one record in a gzip member")
        else:
            record, rest = check_record(judge, where, data[at:], ids)
            length = len(data) - at - len(rest)
        if record is None:
            return
        record["length"] = length
        records[(short, at)] = record
        known[record["fields"].get("warc-record-id")] = record
        at += length
    for (n, pos), r in records.items():
        to = r["fields"].get("warc-concurrent-to")
        if n == short and to and to not in ids:
            judge.find("warc", f"{name} at {pos}: WARC-Concurrent-To names no record of the package")


def check_wacz(path):
    judge = Judge(path)
    if not path.endswith(".wacz"):
        judge.find("zip", "the name does not end in .wacz")
    members = zip_members(judge, path)
    if members is None:
        return judge.count
    check_package(judge, members)
    ids, records = set(), {}
    warcs = [n for n in members if n.startswith("archive/")]
    if not warcs:
        judge.find("archive", "archive/ has no WARC file")
    for name in warcs:
        stored, data, method, _ = members[name]
        if not re.search(r"\.warc(\.gz)?$", name) or name.count("/") != 1:
            judge.find("archive", f"{name} has no name of a WARC file of archive/")
        if (data[:2] == b"\x1f\x8b") != name.endswith(".gz"):
            judge.find("archive", f"{name}: the ending and the compression differ")
        if method != zipfile.ZIP_STORED:
            judge.find("archive", f"{name} is compressed again in the ZIP")
        check_warc(judge, name, data, ids, records)
    for name in members:
        if name.endswith(".gz") and members[name][2] != zipfile.ZIP_STORED:
            judge.find("zip", f"{name} is compressed again in the ZIP")
        if name.split("/")[0] == "index":
            judge.find("zip", f"{name} is in index/, the folder is indexes/")
    check_indexes(judge, members, records, list(check_pages(judge, members)))
    return judge.count


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: wacz_rules.py FILE.wacz...")
    total = sum(check_wacz(path) for path in sys.argv[1:])
    print(f"{total} findings in {len(sys.argv) - 1} packages")
    sys.exit(1 if total else 0)


main()
