"""png_compare.py A B: how many pixels of two images of a browser differ by more than a shade; status 1 if more than 40 do, since a
browser does not draw the edges of letters alike each time."""
import struct
import sys
import zlib


def pixels(path):
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + n]
        at += n + 12
    assert depth == 8 and colour in (2, 6), "no image of a browser"
    size = 3 if colour == 2 else 4
    raw, line, out = zlib.decompress(packed), bytearray(width * size), []
    for y in range(height):
        kind = raw[y * (width * size + 1)]
        now = bytearray(raw[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)])
        for i in range(len(now)):
            a = now[i - size] if i >= size else 0
            b = line[i]
            c = line[i - size] if i >= size else 0
            if kind == 1:
                guess = a
            elif kind == 2:
                guess = b
            elif kind == 3:
                guess = (a + b) // 2
            elif kind == 4:
                p = a + b - c
                guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                break
            now[i] = (now[i] + guess) & 255
        line = now
        out.append([bytes(now[x:x + 3]) for x in range(0, len(now), size)])
    return out


one, two = pixels(sys.argv[1]), pixels(sys.argv[2])
assert len(one) == len(two) and len(one[0]) == len(two[0]), "other sizes"
differ = sum(max(abs(p - q) for p, q in zip(a, b)) > 8 for x, y in zip(one, two) for a, b in zip(x, y) if a != b)
print(differ, "pixels differ:", sys.argv[1], sys.argv[2])
sys.exit(differ > 40)
