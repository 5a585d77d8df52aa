// What must hold for every page, whatever it shows.

import Foundation
import HTTP

@testable import Docket

enum HTMLCheck {
    /// Everything that is wrong with a page; empty for a good one.
    static func problems(_ page: Page, language: Language, keys: Set<String>) -> [String] {
        let html = page.bytes
        var problems: [String] = []
        func expect(_ holds: Bool, _ problem: @autoclosure () -> String) { if !holds { problems.append(problem()) } }
        expect(html.hasPrefix("<!doctype html>\n<html lang=\"\(language.rawValue)\""), "begins without doctype or language")
        expect(html.components(separatedBy: "<h1").count == 2, "\(html.components(separatedBy: "<h1").count - 1) h1")
        expect(!(page.texts("h1").first ?? "").trimmingCharacters(in: .whitespaces).isEmpty, "an empty h1")
        let title = page.texts("title").first ?? ""
        expect(title.hasSuffix(" · Docket") && title.count > " · Docket".count, "the title is \(title)")
        expect(page.response.fields[.contentLanguage] == language.rawValue, "Content-Language")
        problems += fields(page)
        problems += controls(html)
        problems += texts(html, keys)
        let ids = tags(html).compactMap { HTMLReader.attribute("id", $0) }
        expect(Set(ids).count == ids.count, "an id twice: \(ids)")
        return problems
    }

    /// The fields that every answer carries.
    static func fields(_ page: Page) -> [String] {
        let wanted: [(FieldName, String)] = [
            (.contentSecurityPolicy, "default-src 'self'"), (.xContentTypeOptions, "nosniff"), (.referrerPolicy, "same-origin"),
            (.cacheControl, "no-store"), (.vary, "Cookie"), (.crossOriginOpenerPolicy, "same-origin"),
        ]
        // No other site reads an answer, and none tells what it is made with.
        let refused = ["access-control-", "server", "x-powered-by"]
        return wanted.compactMap { name, part in
            page.response.fields[name]?.contains(part) == true ? nil : "\(name) is \(page.response.fields[name] ?? "missing")"
        }
            + page.response.fields.lines.map { "\($0.name)" }.filter { name in refused.contains(where: name.hasPrefix) }
    }

    static func tags(_ html: String) -> [String] {
        html.components(separatedBy: "<").dropFirst().map { String($0.prefix { $0 != ">" }) }
    }

    /// The names of a tag's attributes, read byte by byte as a browser does; nil where something stands there that Docket does not write.
    static func attributeNames(_ tag: String) -> [String]? {
        let bytes = Array(tag.utf8)
        func isName(_ byte: UInt8) -> Bool {
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        var names: [String] = []
        var index = bytes.firstIndex { !isName($0) && $0 != 0x2F && $0 != 0x21 } ?? bytes.count
        while index < bytes.count {
            guard bytes[index] == 0x20 || bytes[index] == 0x2F else { return nil }
            index += 1
            let end = bytes[index...].firstIndex { !isName($0) } ?? bytes.count
            if end > index { names.append(String(decoding: bytes[index..<end], as: UTF8.self)) }
            index = end
            guard index < bytes.count, bytes[index] == 0x3D else { continue }
            guard index + 1 < bytes.count, bytes[index + 1] == 0x22, let close = bytes[(index + 2)...].firstIndex(of: 0x22) else {
                return nil
            }
            index = close + 1
        }
        return names
    }

    /// Each control has a name for people: a label around it, a label for it, or an aria-label. Nothing runs or is styled inline.
    private static func controls(_ html: String) -> [String] {
        var problems: [String] = []
        let labelled = Set(tags(html).filter { $0.hasPrefix("label") }.compactMap { HTMLReader.attribute("for", $0) })
        var depth = 0
        for piece in html.components(separatedBy: "<").dropFirst() {
            let tag = String(piece.prefix { $0 != ">" })
            if tag.hasPrefix("label") { depth += 1 }
            if tag.hasPrefix("/label") { depth -= 1 }
            guard let attributes = attributeNames(tag) else {
                problems.append("not as Docket writes tags: \(tag)")
                continue
            }
            if attributes.contains(where: { $0 == "style" || $0.hasPrefix("on") }) || tag.contains("=\"javascript:") {
                problems.append("inline: \(tag)")
            }
            if tag.hasPrefix("script"), HTMLReader.attribute("src", tag) == nil { problems.append("inline script") }
            if tag.hasPrefix("style") { problems.append("inline style") }
            if HTMLReader.attribute("href", tag) == "" { problems.append("an empty href: \(tag)") }
            let isControl = tag.hasPrefix("input") || tag.hasPrefix("select") || tag.hasPrefix("textarea")
            guard isControl, HTMLReader.attribute("type", tag) != "hidden" else { continue }
            let isNamed =
                depth > 0 || HTMLReader.attribute("aria-label", tag).map { !$0.isEmpty } == true
                || HTMLReader.attribute("id", tag).map(labelled.contains) == true
                || HTMLReader.attribute("aria-labelledby", tag).map { html.contains(" id=\"\($0)\"") } == true
            if !isNamed { problems.append("no label: \(tag)") }
        }
        for piece in html.components(separatedBy: "<button").dropFirst() {
            let open = String(piece.prefix { $0 != ">" })
            let inside = piece.components(separatedBy: "</button>")[0].dropFirst(open.count + 1)
            let text = HTMLReader.decode(String(inside.replacing(/<[^>]*>/, with: ""))).trimmingCharacters(
                in: .whitespacesAndNewlines)
            if text.isEmpty, HTMLReader.attribute("aria-label", open) ?? "" == "", !HTMLReader.has("hidden", open) {
                problems.append("a button without a name: \(open)")
            }
        }
        return problems
    }

    /// No key of the strings files, no placeholder and no tag of a template is left where a person reads.
    private static func texts(_ html: String, _ keys: Set<String>) -> [String] {
        var problems: [String] = []
        let areas = Set(keys.map { $0.prefix { $0 != "." } })
        let attributes = ["aria-label", "placeholder", "title", "alt"]
        var texts: [String] = []
        for piece in html.components(separatedBy: "<").dropFirst() {
            let tag = String(piece.prefix { $0 != ">" })
            texts.append(HTMLReader.decode(String(piece.dropFirst(tag.count + 1))))
            texts += attributes.compactMap { HTMLReader.attribute($0, tag) }
        }
        for text in texts where text.utf8.contains(UInt8(ascii: ".")) || text.utf8.contains(UInt8(ascii: "{")) {
            for match in text.matches(of: /[a-z_]+(\.[a-z_]+)+/) where areas.contains(match.output.0.prefix { $0 != "." }) {
                problems.append("a raw key: \(match.output.0)")
            }
            if text.contains("{{") || text.firstMatch(of: /\{[a-z_]+\}/) != nil {
                problems.append("not filled: \(text.prefix(80))")
            }
        }
        return problems
    }
}
