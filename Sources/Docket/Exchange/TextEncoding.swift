// Which encoding a text file has. Nothing in such a file says so: a mark at its start, valid UTF-8, every second byte zero, valid
// GB18030 with Chinese in it, and else Windows-1252, in which every file can be read. The guess is told to the person.

/// An encoding of text files.
public enum TextEncoding: String, Sendable, CaseIterable {
    /// With or without a mark.
    case utf8 = "UTF-8"
    /// The form of Windows.
    case utf16LittleEndian = "UTF-16LE"
    /// The other order of bytes.
    case utf16BigEndian = "UTF-16BE"
    /// Chinese, with GBK and GB 2312 in it.
    case gb18030 = "GB18030"
    /// Western European, with Latin-1 in it.
    case windows1252 = "Windows-1252"
}

/// What looking through a file tells.
struct TextSurvey: Sendable {
    let encoding: TextEncoding
    /// Ends of lines; a last line without one counts too.
    let lineCount: Int
    /// True where a zero byte is in a text that is not UTF-16: then it is no text.
    let holdsNUL: Bool

    init(_ file: ByteFile) throws {
        var check = UTF8Check()
        var (lines, count, zeros) = (0, 0, [0, 0])
        var previous: UInt8 = 0
        try file.forEachPiece { piece in
            check.take(piece)
            for byte in piece {
                if byte < 0x0E {
                    if byte == 0 { zeros[count & 1] += 1 }
                    if byte == 0x0A && previous != 0x0D || byte == 0x0D { lines += 1 }
                }
                previous = byte
                count += 1
            }
        }
        if count > 0, previous != 0x0A, previous != 0x0D { lines += 1 }
        lineCount = lines
        let start = try file.start(3)
        if start.starts(with: [0xFF, 0xFE]) || zeros[1] > count / 4 && zeros[0] <= zeros[1] / 8 {
            encoding = .utf16LittleEndian
        } else if start.starts(with: [0xFE, 0xFF]) || zeros[0] > count / 4 && zeros[1] <= zeros[0] / 8 {
            encoding = .utf16BigEndian
        } else if start == [0xEF, 0xBB, 0xBF] || check.isWhole || check.isCut {
            encoding = .utf8
        } else {
            var chinese = GB18030Check()
            try file.forEachPiece { chinese.take($0) }
            encoding = chinese.isWhole && chinese.holdsChinese ? .gb18030 : .windows1252
        }
        holdsNUL = zeros[0] + zeros[1] > 0 && encoding != .utf16LittleEndian && encoding != .utf16BigEndian
    }
}

/// Checks UTF-8 piece by piece (Unicode standard, table 3-7).
struct UTF8Check {
    private var isValid = true
    /// How many bytes of the character are to come, and between what the next one lies.
    private var wanted = 0
    private var range: ClosedRange<UInt8> = 0x80...0xBF

    private var holdsCharacters = false

    /// True where everything so far was valid and no character is cut off.
    var isWhole: Bool { isValid && wanted == 0 }

    /// True where only the last character is cut off, and others before it are not: half a file.
    var isCut: Bool { isValid && wanted > 0 && holdsCharacters }

    mutating func take(_ piece: ArraySlice<UInt8>) {
        guard isValid else { return }
        for byte in piece {
            if wanted == 0 {
                if byte < 0x80 { continue }
                range = 0x80...0xBF
                switch byte {
                case 0xC2...0xDF: wanted = 1
                case 0xE0: (wanted, range) = (2, 0xA0...0xBF)
                case 0xED: (wanted, range) = (2, 0x80...0x9F)
                case 0xE1...0xEF: wanted = 2
                case 0xF0: (wanted, range) = (3, 0x90...0xBF)
                case 0xF1...0xF3: wanted = 3
                case 0xF4: (wanted, range) = (3, 0x80...0x8F)
                default:
                    isValid = false
                    return
                }
            } else {
                guard range.contains(byte) else {
                    isValid = false
                    return
                }
                range = 0x80...0xBF
                wanted -= 1
                if wanted == 0 { holdsCharacters = true }
            }
        }
    }
}
