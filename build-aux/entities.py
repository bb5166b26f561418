#!/usr/bin/env python3
"""Prints the table of parser/html_value.c from the standard's, as Python has it."""
from html.entities import html5

LITERAL = 4000  # characters a compiler must take as one, less a few
LINE = 86

names = {}
for name, text in html5.items():
    entry = names.setdefault(name.rstrip(';'), [text, '='])
    if not name.endswith(';'):
        entry[1] = '!'

chunks, size = [[]], 0
for name in sorted(names, key=str.encode):
    text, sign = names[name]
    entry = name + sign + ','.join('%x' % ord(c) for c in text)
    if size + len(entry) + 1 > LITERAL:
        chunks.append([])
        size = 0
    chunks[-1].append(entry)
    size += len(entry) + 1

for chunk in chunks:
    lines = ['']
    for entry in chunk:
        if len(lines[-1]) + len(entry) + 1 > LINE:
            lines.append('')
        lines[-1] += entry + ' '
    lines[-1] = lines[-1].rstrip()
    print('\n'.join('\t"%s"' % line for line in lines) + ',')
