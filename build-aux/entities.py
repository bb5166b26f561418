#!/usr/bin/env python3
"""Prints parser/entities.txt from the standard's table, as Python has it."""
from html.entities import html5

names = {}
for name, text in html5.items():
    entry = names.setdefault(name.rstrip(';'), [text, '='])
    if not name.endswith(';'):
        entry[1] = '!'

for name in sorted(names, key=str.encode):
    text, sign = names[name]
    print(name + sign + ','.join('%x' % ord(c) for c in text))
