#!/usr/bin/env python3
"""Writes a large WARC file (WARC/1.1, a gzip member for each record) of real pages, for measurements.

    make-warc.py OUT BYTES [FOLDER]

OUT grows to at least BYTES. The pages are the HTML files below FOLDER (/usr/share/doc). They are captured again and again as the pages of
further sites, doc0.test, doc1.test ..., each with three links of its own to pages of other sites. Each page is packed once, with
level 6, and the part of a record that differs stands before it in the same member, not packed: so a file of 10 GB takes minutes."""
import ctypes
import ctypes.util
import os
import random
import struct
import sys
import zlib

libz = ctypes.CDLL(ctypes.util.find_library("z"))
libz.crc32_combine.argtypes = [ctypes.c_ulong, ctypes.c_ulong, ctypes.c_long]
libz.crc32_combine.restype = ctypes.c_ulong


def pages_below(folder):
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            if name.endswith((".html", ".htm")) and os.path.isfile(path) and 200 < os.path.getsize(path) < 1 << 20:
                yield os.path.relpath(path, folder), path


def packed_page(path):
    with open(path, "rb") as file:
        body = file.read() + b"\r\n\r\n"
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush(), zlib.crc32(body), len(body)


def member(plain, packed, crc, length):
    """A gzip member of some bytes in a stored block, and of bytes that are packed already."""
    block = b"\0" + struct.pack("<HH", len(plain), len(plain) ^ 0xFFFF) + plain
    crc = libz.crc32_combine(zlib.crc32(plain), crc, length)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + block + packed + struct.pack("<II", crc, (len(plain) + length) & 0xFFFFFFFF)


def main():
    out, most = sys.argv[1], int(float(sys.argv[2]))
    folder = sys.argv[3] if len(sys.argv) > 3 else "/usr/share/doc"
    page = [(name, *packed_page(path)) for name, path in pages_below(folder)]
    draw = random.Random(1)
    written = unpacked = records = site = 0
    with open(out, "wb") as file:
        while written < most:
            for name, packed, crc, length in page:
                links = "".join(f'<a href="http://doc{site + draw.randrange(1, 9)}.test/{draw.choice(page)[0]}">x</a>\n' for _ in "123")
                http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(links) + length - 4}\r\n\r\n{links}"
                head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://doc{site}.test/{name}\r\n"
                        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{draw.getrandbits(128):032x}>\r\n"
                        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + length - 4}\r\n\r\n")
                written += file.write(member((head + http).encode(), packed, crc, length))
                unpacked += len(head) + len(http) + length
                records += 1
                if written >= most:
                    break
            site += 1
    print(f"records {records}\nbytes {written}\nunpacked {unpacked}")


main()
