#!/usr/bin/env python3
"""Prints the ranges of parser/url_idna.c from Python's copy of the Unicode Character Database.

Code points that UTS46 never leaves in a label (unassigned, mapped, not in NFC) are passed over,
so that neighbours meet in one range."""
import unicodedata as ucd

CLASSES = {'L': 0, 'R': 1, 'AL': 1, 'AN': 2, 'EN': 3,
           'ES': 4, 'CS': 4, 'ET': 4, 'ON': 4, 'BN': 4, 'NSM': 5}


def stays(c):
    if ucd.category(c) in ('Cn', 'Co', 'Cs', 'Cc') or ucd.normalize('NFC', c) != c:
        return False
    if c in '\u00df\u03c2\u200c\u200d' or ucd.category(c) == 'Mn':
        return True
    return ucd.normalize('NFKC', ucd.normalize('NFKC', c).casefold()) == c


row, last = [], 0
print('/* Unicode %s */' % ucd.unidata_version)
for point in range(0x80, 0x110000):
    c = chr(point)
    kind = CLASSES.get(ucd.bidirectional(c))
    if kind is None or kind == last or not stays(c):
        continue
    last = kind
    row.append('0x%x' % (point << 3 | kind))
    if len(row) == 9:
        print('\t' + ', '.join(row) + ',')
        row = []
print('\t' + ', '.join(row) + ',')
