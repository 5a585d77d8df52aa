#!/usr/bin/env python3
"""Makes GB18030Table.swift: the characters of GB18030's two-byte codes, from Python's own codec.

The codes are walked in order (lead 81 to FE, trail 40 to 7E and 80 to FE) and each character is written as the difference to the one
before, zigzag, seven bits a byte, the highest bit telling that more follow; a code without a character is U+FFFD. Most of the Chinese
characters stand in Unicode's order, so that most differences take one byte. The four-byte codes need no table: they count through
what the two-byte codes leave over (GB18030.swift); this script checks that they do.
"""
import base64
import sys


def decode(code):
    try:
        text = code.decode("gb18030")
    except UnicodeDecodeError:
        return 0xFFFD
    return ord(text) if len(text) == 1 else 0xFFFD


chars = []
for lead in range(0x81, 0xFF):
    for trail in [*range(0x40, 0x7F), *range(0x80, 0xFF)]:
        chars.append(decode(bytes([lead, trail])))

known = set(chars)
linear, wrong = 0, []
for point in range(0x80, 0x10000):
    if 0xD800 <= point < 0xE000 or point in known and point != 0xFFFD:
        continue
    n = linear
    code = bytes([0x81 + n // 12600, 0x30 + n // 1260 % 10, 0x81 + n // 10 % 126, 0x30 + n % 10])
    if code.decode("gb18030", "replace") != chr(point):
        wrong.append((hex(point), code.hex()))
    linear += 1
print("four-byte codes:", linear, "differ:", wrong[:10], file=sys.stderr)

out, last = bytearray(), 0
for char in chars:
    delta = char - last
    last = char
    value = delta << 1 if delta >= 0 else (-delta << 1) - 1
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
text = base64.b64encode(bytes(out)).decode()
lines = [text[i:i + 120] for i in range(0, len(text), 120)]
print("// Made by Text/Tables/generate-gb18030.py from Python's codec; do not edit. The script says what the bytes mean, GB18030 reads them.")
print("\nenum GB18030Table {")
print('    static let base64: StaticString = """')
print("\\\n".join("        " + line for line in lines))
print('        """\n}')
