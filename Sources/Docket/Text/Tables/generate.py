#!/usr/bin/env python3
"""Writes UnicodeTable.swift beside the folder of this script, from Python's unicodedata.

    python3 Sources/Docket/Text/Tables/generate.py

The table is a stream of unsigned LEB128 numbers in base64. Scalars ascend and are given as the distance from the one before.
Sections, in order (UnicodeData.swift reads them):
  1 combining classes     runs: distance, length, class
  2 canonical mappings    distance, length * 2 + (1 if never composed again), scalars
  3 compatibility         distance, length, scalars
  4 case folding (full)   distance, length, scalars
  5 search letters        distance, length, scalars: letters that people search by their plain form
  6 ignorable             runs: distance, length: Default_Ignorable_Code_Point below U+E0000
  7 search marks          runs: distance, length: accents and points that a search leaves out
  8 continuing            runs: distance, length: may join the scalar before it in NFKC
A scalar of a mapping is given as a zigzag number: the distance from the mapped scalar for the first, from U+0300 for the others.
"""

import base64
import pathlib
import unicodedata

LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)
HANGUL = range(0xAC00, 0xAC00 + 11172)

# DerivedCoreProperties.txt; unicodedata does not have the property. The plane of tags (E0000..E0FFF) is a rule in the program.
IGNORABLE = [
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
]

# Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs and hamza of Arabic: writing leaves them out at will.
# Marks of other scripts (Indic and Thai vowels, the voiced marks of kana) are letters to their readers and stay.
MARKS = [
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670),
    (0x06D6, 0x06ED), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),
]

# Letters with a stroke have no decomposition, and the ligatures no mapping at all.
LETTERS = {"đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "ŧ": "t", "æ": "ae", "œ": "oe"}


def scalars():
    return (c for c in range(LAST) if c not in SURROGATES and c not in HANGUL)


def mapping(c):
    """The tag and the scalars of the decomposition field."""
    fields = unicodedata.decomposition(chr(c)).split()
    tag = fields.pop(0) if fields and fields[0].startswith("<") else None
    return tag, [int(field, 16) for field in fields]


def leb128(value, out):
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def zigzag(value):
    return value * 2 if value >= 0 else -value * 2 - 1


def write_mappings(entries, out, flag=None):
    leb128(len(entries), out)
    previous = 0
    for c, mapped in entries:
        leb128(c - previous, out)
        leb128(len(mapped) if flag is None else len(mapped) * 2 + (c in flag), out)
        for position, value in enumerate(mapped):
            leb128(zigzag(value - (c if position == 0 else 0x300)), out)
        previous = c


def runs(values):
    """Maximal runs of neighbours with the same value; values is a dictionary."""
    found = []
    for c in sorted(values):
        if found and found[-1][0] + found[-1][1] == c and found[-1][2] == values[c]:
            found[-1][1] += 1
        else:
            found.append([c, 1, values[c]])
    return found


def write_runs(values, out, with_value):
    found = runs(values)
    leb128(len(found), out)
    previous = 0
    for start, length, value in found:
        leb128(start - previous, out)
        leb128(length, out)
        if with_value:
            leb128(value, out)
        previous = start + length


def in_ranges(ranges):
    return {c: 1 for first, last in ranges for c in range(first, last + 1)}


def main():
    classes = {c: unicodedata.combining(chr(c)) for c in scalars() if unicodedata.combining(chr(c))}
    canonical, compatibility, folding = [], [], []
    never_composed, seconds = set(), set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))
    for c in scalars():
        tag, mapped = mapping(c)
        if mapped and tag is None:
            canonical.append((c, mapped))
            if unicodedata.normalize("NFC", chr(c)) != chr(c):
                never_composed.add(c)
            elif len(mapped) == 2:
                seconds.add(mapped[1])
        elif mapped:
            compatibility.append((c, mapped))
        folded = chr(c).casefold()
        if folded != chr(c):
            folding.append((c, [ord(letter) for letter in folded]))
    ignorable = in_ranges(IGNORABLE)
    marks = {c: 1 for c in in_ranges(MARKS) if unicodedata.category(chr(c)) == "Mn"}
    continuing = dict(ignorable)
    for c in scalars():
        first = unicodedata.normalize("NFKD", chr(c).casefold())[0]
        # U+0345 is a mark itself, though folding makes a letter of it: it must not part the marks around it.
        if unicodedata.combining(chr(c)) or unicodedata.combining(first) or ord(first) in seconds:
            continuing[c] = 1

    out = bytearray()
    write_runs(classes, out, True)
    write_mappings(canonical, out, never_composed)
    write_mappings(compatibility, out)
    write_mappings(folding, out)
    write_mappings(sorted((ord(k), [ord(v) for v in w]) for k, w in LETTERS.items()), out)
    for values in (ignorable, marks, continuing):
        write_runs(values, out, False)

    text = base64.b64encode(out).decode().rstrip("=")
    lines = [text[start:start + 120] for start in range(0, len(text), 120)]
    body = "\\\n".join("        " + line for line in lines)
    target = pathlib.Path(__file__).resolve().parent.parent / "UnicodeTable.swift"
    target.write_text(f'''// Made by Tables/generate.py from Unicode {unicodedata.unidata_version}; do not edit. The script says what the stream holds,
// UnicodeData reads it. Base64 in a string, because the compiler takes minutes over an array literal of this size.

enum UnicodeTable {{
    static let unicodeVersion = "{unicodedata.unidata_version}"
    static let byteCount = {len(out)}
    static let base64: StaticString = """
{body}
        """
}}
''', encoding="utf-8")
    print(f"{len(out)} bytes, {len(lines)} lines, Unicode {unicodedata.unidata_version}")


if __name__ == "__main__":
    main()
