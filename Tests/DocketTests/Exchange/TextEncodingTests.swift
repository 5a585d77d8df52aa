// Encodings and line ends of text files: recognised, and read without a lost line.

import Foundation
import Testing

@testable import Docket

struct TextEncodingTests {
    private func lines(_ bytes: [UInt8], _ place: ImportPlace) throws -> (TextEncoding, [String], Int) {
        let file = try place.file("list.txt", bytes)
        let survey = try TextSurvey(file)
        var lines: [String] = []
        try TextLines(file: file, encoding: survey.encoding).forEach { number, line in
            #expect(number == lines.count + 1)
            switch line {
            case .text(let text), .damaged(let text): lines.append(text)
            case .tooLong: lines.append("(too long)")
            }
        }
        return (survey.encoding, lines, survey.lineCount)
    }

    static func wide(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return bigEndian ? bytes : bytes.reversed()
        }
    }

    static let cases: [(bytes: [UInt8], encoding: TextEncoding, lines: [String])] = [
        (Array("a\nb\n".utf8), .utf8, ["a", "b"]),
        (Array("a\r\nb\rc\nd".utf8), .utf8, ["a", "b", "c", "d"]),
        (Array("a\n\n\r\n\rb".utf8), .utf8, ["a", "", "", "", "b"]),
        ([0xEF, 0xBB, 0xBF] + Array("牛奶".utf8), .utf8, ["\u{FEFF}牛奶"]),
        (wide("one\r\n牛奶 👨‍👩‍👧\r\n", bigEndian: false, mark: true), .utf16LittleEndian, ["\u{FEFF}one", "牛奶 👨‍👩‍👧"]),
        (wide("one\n牛奶", bigEndian: true, mark: true), .utf16BigEndian, ["\u{FEFF}one", "牛奶"]),
        (wide("only ascii\nhere", bigEndian: false, mark: false), .utf16LittleEndian, ["only ascii", "here"]),
        (wide("only ascii\nhere", bigEndian: true, mark: false), .utf16BigEndian, ["only ascii", "here"]),
        ([0x43, 0x61, 0x66, 0xE9, 0x0A, 0x80, 0x20, 0x35], .windows1252, ["Café", "€ 5"]),
        ([0xC5, 0xA3, 0xC4, 0xCC, 0x0A, 0x61], .gb18030, ["牛奶", "a"]),
        // Two bytes outside of GB 2312, four bytes inside and outside of the first plane.
        (
            [0xC5, 0xA3, 0x81, 0x40, 0x81, 0x30, 0x81, 0x30, 0x95, 0x32, 0x82, 0x36, 0x90, 0x30, 0x81, 0x30], .gb18030,
            ["牛丂\u{80}𠀀\u{10000}"]
        ),
        ([], .utf8, []),
    ]

    @Test("An encoding is recognised, and every kind of line end ends a line", arguments: cases)
    func recognises(_ bytes: [UInt8], _ encoding: TextEncoding, _ wanted: [String]) throws {
        let (found, lines, count) = try lines(bytes, try ImportPlace())
        #expect(found == encoding)
        #expect(lines.map { Array($0.utf8) } == wanted.map { Array($0.utf8) })
        if encoding != .utf16LittleEndian, encoding != .utf16BigEndian { #expect(count == wanted.count) }
    }

    @Test("Characters and line ends that lie across two pieces of the file are whole")
    func acrossPieces() throws {
        let place = try ImportPlace()
        for shift in 0..<4 {
            let text = String(repeating: "a", count: 65_536 - shift) + "\r\n牛奶\r\n"
            let (encoding, lines, _) = try lines(Array(text.utf8), place)
            #expect(encoding == .utf8)
            #expect(lines.count == 2 && lines.last == "牛奶")
            let (wideEncoding, wideLines, _) = try self.lines(Self.wide("\(shift)" + text, bigEndian: false, mark: true), place)
            #expect(wideEncoding == .utf16LittleEndian)
            #expect(wideLines.count == 2 && wideLines.last == "牛奶")
        }
    }

    @Test("A line of more than a million bytes is told, and the lines around it are there")
    func longLine() throws {
        let text = "first\n" + String(repeating: "x", count: 3 << 20) + "\nlast\n"
        let (_, lines, _) = try lines(Array(text.utf8), try ImportPlace())
        #expect(lines == ["first", "(too long)", "last"])
    }

    @Test("Piece by piece, UTF-8 is checked as Swift checks it whole")
    func checkAgrees() {
        var generator = SystemRandomNumberGenerator()
        let parts: [[UInt8]] = [
            [0x61], [0xC3, 0xA9], [0xE7, 0x89, 0x9B], [0xF0, 0x9F, 0x91, 0xA8], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90],
            [0x80], [0xE2, 0x82],
        ]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<5, using: &generator)).flatMap { _ in parts.randomElement(using: &generator) ?? []
            }
            var check = UTF8Check()
            for byte in bytes { check.take([byte]) }
            #expect(check.isWhole == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }
}
