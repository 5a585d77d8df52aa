import Mustache
import Testing

@Suite("The specification's required modules")
struct SpecificationTests {
    @Test(
        "Interpolation",
        arguments: [
            Case("text without tags stays", "A {name} in braces\n", is: "A {name} in braces\n"),
            Case("an empty template is empty", "", is: ""),
            Case("a name is replaced", "Hi {{who}}!", ["who": "ada"], is: "Hi ada!"),
            Case(
                "what HTML reads is escaped", "{{x}}", ["x": "<a href=\"x\" id='y'>&</a>"],
                is: "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;&lt;/a&gt;"),
            Case("three braces do not escape", "{{{x}}}", ["x": "<&\"'>"], is: "<&\"'>"),
            Case("an ampersand does not escape", "{{&x}}", ["x": "<&\"'>"], is: "<&\"'>"),
            Case("whole numbers", "{{a}} {{{b}}} {{&c}}", ["a": 85, "b": 0, "c": -7], is: "85 0 -7"),
            Case(
                "the largest numbers", "{{a}} {{b}}", ["a": .int(.max), "b": .int(.min)],
                is: "9223372036854775807 -9223372036854775808"),
            Case(
                "fractions in the shortest form", "{{a}} {{{b}}} {{&c}}", ["a": 1.210, "b": 0.1, "c": -2.5], is: "1.21 0.1 -2.5"),
            Case(
                "a fraction that is whole has no point", "{{a}} {{b}} {{c}}", ["a": 3.0, "b": -0.0, "c": .double(1e21)],
                is: "3 0 1e+21"),
            Case("truth values", "{{a}} {{b}}", ["a": true, "b": false], is: "true false"),
            Case("nothing is written for null", "[{{a}}{{{a}}}{{&a}}]", ["a": nil], is: "[]"),
            Case("nothing is written for what is missing", "[{{a}}{{{a}}}{{&a}}]", is: "[]"),
            Case("nothing is written for lists and objects", "[{{a}}{{b}}]", ["a": [1], "b": ["c": 1]], is: "[]"),
            Case("bytes are escaped like text", "{{a}}{{{a}}}", ["a": .bytes(Array("<ü>".utf8))], is: "&lt;ü&gt;<ü>"),
            Case("the program's own markup is not", "{{a}}{{{a}}}", ["a": .html(Array("<ü>".utf8))], is: "<ü><ü>"),
            Case("a dot walks in", "{{p.name}}={{#p}}{{name}}{{/p}}", ["p": ["name": "ada"]], is: "ada=ada"),
            Case("a dot walks in, unescaped", "{{{p.name}}}{{&p.name}}", ["p": ["name": "<"]], is: "<<"),
            Case("dots walk as deep as wanted", "{{a.b.c.d.e}}", ["a": ["b": ["c": ["d": ["e": "deep"]]]]], is: "deep"),
            Case("a broken chain is nothing", "[{{a.b.c}}]", ["a": [:]], is: "[]"),
            Case("later parts are not looked up outside", "[{{a.b.c.name}}]", ["a": ["b": [:]], "c": ["name": "bob"]], is: "[]"),
            Case("the first part is looked up outside", "{{#a}}{{b.c}}{{/a}}", ["a": ["x": 1], "b": ["c": "yes"]], is: "yes"),
            Case(
                "the first part takes the innermost", "{{#a}}{{b.c}}{{/a}}", ["a": ["b": ["c": "in"]], "b": ["c": "out"]],
                is: "in"),
            Case(
                "an innermost that breaks hides the outer", "[{{#a}}{{b.c}}{{/a}}]", ["a": ["b": [:]], "b": ["c": "out"]],
                is: "[]"),
            Case(
                "a dot in front asks the innermost only", "{{#a}}{{.n}}{{/a}}{{#b}}{{.n}}{{.n.m}}{{/b}}",
                ["a": [:], "b": ["n": "b"], "n": "out"], is: "b"),
            Case("a dot alone is the context", "{{.}} {{{.}}} {{&.}}", "a&b", is: "a&amp;b a&b a&b"),
            Case("space around a tag stays", "| {{x}} | {{{x}}} | {{&x}} |", ["x": "-"], is: "| - | - | - |"),
            Case("a value alone on its line keeps the line", "  {{x}}\n  {{{x}}}\n  {{&x}}\n", ["x": "-"], is: "  -\n  -\n  -\n"),
            Case("space in a tag is ignored", "{{ x }}{{{ x }}}{{& x }}{{\n x\t}}{{ & x }}", ["x": "-"], is: "-----"),
            Case("an empty name of a context is no name", "[{{x}}]", ["": "no"], is: "[]"),
        ])
    func interpolation(_ example: Case) throws { try example.check() }

    @Test(
        "Sections",
        arguments: [
            Case("true shows", "[{{#x}}yes{{/x}}]", ["x": true], is: "[yes]"),
            Case("false hides", "[{{#x}}yes{{/x}}]", ["x": false], is: "[]"),
            Case("null hides", "[{{#x}}yes{{/x}}]", ["x": nil], is: "[]"),
            Case("what is missing hides", "[{{#x}}yes{{/x}}]", is: "[]"),
            Case("an object is a context", "{{#x}}{{name}}{{/x}}", ["x": ["name": "ada"]], is: "ada"),
            Case("an empty object shows", "{{#x}}yes{{/x}}", ["x": [:]], is: "yes"),
            Case(
                "outer names are seen", "{{#x}}{{a}}{{b}}{{c.d}}{{/x}}", ["a": 1, "b": 0, "x": ["b": 2], "c": ["d": 3]], is: "123"
            ),
            Case("a text is its own context", "{{#x}}{{.}}={{x}}{{/x}}", ["x": "ada"], is: "ada=ada"),
            Case("a text is no list", "{{#x}}once{{/x}}", ["x": "abc"], is: "once"),
            Case(
                "empty text, zero and no number hide", "{{#a}}a{{/a}}{{#b}}b{{/b}}{{#c}}c{{/c}}{{#d}}d{{/d}}{{#e}}e{{/e}}",
                ["a": "", "b": 0, "c": 0.0, "d": .double(.nan), "e": .bytes([])], is: ""),
            Case(
                "numbers and bytes show", "{{#a}}{{.}}{{/a}}{{#b}}{{.}}{{/b}}{{#c}}{{.}}{{/c}}",
                ["a": -1, "b": 0.5, "c": .bytes([0x61])], is: "-10.5a"),
            Case("a list shows for each", "{{#x}}{{n}},{{/x}}", ["x": [["n": 1], ["n": 2], ["n": 3]]], is: "1,2,3,"),
            Case("an empty list hides", "[{{#x}}yes{{/x}}]", ["x": []], is: "[]"),
            Case("elements that are false show still", "{{#x}}[{{.}}]{{/x}}", ["x": [false, 0, "", nil]], is: "[false][0][][]"),
            Case(
                "lists in lists see all outside", "{{#a}}{{#b}}{{n.u}}{{m}}.{{#c}}{{n.l}}{{m}}{{o}}.{{/c}}{{/b}}{{/a}}",
                ["a": [["n": ["u": "A", "l": "a"], "b": [["m": 1, "c": [["o": "x"], ["o": "y"]]]]]]], is: "A1.a1x.a1y."),
            Case(
                "contexts stack",
                "{{#a}}{{one}}{{#b}}{{one}}{{two}}{{#c}}{{one}}{{two}}{{three}}{{#d}}{{.}}{{three}}{{/d}}{{/c}}{{two}}{{/b}}{{one}}{{/a}}",
                ["a": ["one": 1], "b": ["two": 2], "c": ["three": 3, "d": 4]], is: "1121234321"),
            Case("one name twice", "{{#x}}\n1\n{{/x}}\n{{y}}\n{{#x}}\n3\n{{/x}}\n", ["x": true, "y": 2], is: "1\n2\n3\n"),
            Case("one name in itself", "{{#x}}a{{#x}}b{{/x}}c{{/x}}", ["x": true], is: "abc"),
            Case("one name in itself, false", "<{{#x}}a{{#x}}b{{/x}}c{{/x}}>", ["x": false], is: "<>"),
            Case("elements by a dot", "{{#x}}({{.}}){{/x}}", ["x": ["a", 2, 1.10, true]], is: "(a)(2)(1.1)(true)"),
            Case("elements by a dot are escaped unless told", "{{#x}}{{.}}{{{.}}}{{&.}}{{/x}}", ["x": ["&"]], is: "&amp;&&"),
            Case("lists by a dot", "{{#x}}({{#.}}{{.}}{{/.}}){{/x}}", ["x": [[1, 2], ["a"]]], is: "(12)(a)"),
            Case("the root by a dot", "{{#.}}{{n}}{{/.}}", [["n": 1], ["n": 2]], is: "12"),
            Case("dotted names show", "{{#a.b.c}}yes{{/a.b.c}}", ["a": ["b": ["c": true]]], is: "yes"),
            Case("dotted names hide", "[{{#a.b.c}}yes{{/a.b.c}}]", ["a": ["b": ["c": false]]], is: "[]"),
            Case("broken chains hide", "[{{#a.b.c}}yes{{/a.b.c}}]", ["a": [:]], is: "[]"),
            Case("space around stays", " | {{#x}}\t|\t{{/x}} | \n", ["x": true], is: " | \t|\t | \n"),
            Case("space inside stays", " | {{#x}} {{! this too }}\n {{/x}} | \n", ["x": true], is: " |  \n  | \n"),
            Case(
                "space in front of sections within a line stays", " {{#x}}1{{/x}}\n {{#x}}2{{/x}}\n", ["x": true], is: " 1\n 2\n"),
            Case("lines of tags vanish", "| a\n{{#x}}\n|\n{{/x}}\n| b\n", ["x": true], is: "| a\n|\n| b\n"),
            Case("indented lines of tags vanish", "| a\n  {{#x}}\n|\n\t{{/x}}  \n| b\n", ["x": true], is: "| a\n|\n| b\n"),
            Case("lines may end in \\r\\n", "|\r\n{{#x}}\r\n{{/x}}\r\n|", ["x": true], is: "|\r\n|"),
            Case("the first line may be one", "  {{#x}}\n#{{/x}}\n/", ["x": true], is: "#\n/"),
            Case("the last line may be one", "#{{#x}}\n/\n  {{/x}}", ["x": true], is: "#\n/\n"),
            Case("a line with two tags stays", "<\n {{#x}}{{/x}}\n>", ["x": true], is: "<\n \n>"),
            Case("space in a tag is ignored", "|{{# x }}={{/\tx\n}}|", ["x": true], is: "|=|"),
        ])
    func sections(_ example: Case) throws { try example.check() }

    @Test(
        "Inverted sections",
        arguments: [
            Case("false shows", "[{{^x}}no{{/x}}]", ["x": false], is: "[no]"),
            Case("true hides", "[{{^x}}no{{/x}}]", ["x": true], is: "[]"),
            Case("null shows", "[{{^x}}no{{/x}}]", ["x": nil], is: "[no]"),
            Case("what is missing shows", "[{{^x}}no{{/x}}]", is: "[no]"),
            Case("an object hides", "[{{^x}}no{{/x}}]", ["x": ["a": 1]], is: "[]"),
            Case("a list hides", "[{{^x}}no{{/x}}]", ["x": [false]], is: "[]"),
            Case("an empty list shows", "[{{^x}}no{{/x}}]", ["x": []], is: "[no]"),
            Case("the context stays", "{{#a}}{{^b}}{{.}}{{/b}}{{/a}}", ["a": "ada"], is: "ada"),
            Case("one name twice", "{{^x}}\n1\n{{/x}}\n{{y}}\n{{^x}}\n3\n{{/x}}\n", ["x": false, "y": 2], is: "1\n2\n3\n"),
            Case("one name in itself, false", "{{^x}}a{{^x}}b{{/x}}c{{/x}}", ["x": false], is: "abc"),
            Case("one name in itself, true", "<{{^x}}a{{^x}}b{{/x}}c{{/x}}>", ["x": true], is: "<>"),
            Case("beside its section", "{{#x}}y{{/x}}{{^x}}n{{/x}}{{#z}}y{{/z}}{{^z}}n{{/z}}", ["x": true], is: "yn"),
            Case("dotted names hide", "[{{^a.b.c}}no{{/a.b.c}}]", ["a": ["b": ["c": true]]], is: "[]"),
            Case("dotted names show", "[{{^a.b.c}}no{{/a.b.c}}]", ["a": ["b": ["c": false]]], is: "[no]"),
            Case("broken chains show", "[{{^a.b.c}}no{{/a.b.c}}]", ["a": [:]], is: "[no]"),
            Case("space around stays", " | {{^x}}\t|\t{{/x}} | \n", ["x": false], is: " | \t|\t | \n"),
            Case("space inside stays", " | {{^x}} {{! this too }}\n {{/x}} | \n", ["x": false], is: " |  \n  | \n"),
            Case(
                "space in front of sections within a line stays", " {{^x}}1{{/x}}\n {{^x}}2{{/x}}\n", ["x": false], is: " 1\n 2\n"
            ),
            Case("lines of tags vanish", "| a\n{{^x}}\n|\n{{/x}}\n| b\n", ["x": false], is: "| a\n|\n| b\n"),
            Case("indented lines of tags vanish", "| a\n  {{^x}}\n|\n  {{/x}}\n| b\n", ["x": false], is: "| a\n|\n| b\n"),
            Case("lines may end in \\r\\n", "|\r\n{{^x}}\r\n{{/x}}\r\n|", ["x": false], is: "|\r\n|"),
            Case("the first line may be one", "  {{^x}}\n^{{/x}}\n/", ["x": false], is: "^\n/"),
            Case("the last line may be one", "^{{^x}}\n/\n  {{/x}}", ["x": false], is: "^\n/\n"),
            Case("space in a tag is ignored", "|{{^ x }}={{/ x }}|", ["x": false], is: "|=|"),
        ])
    func inverted(_ example: Case) throws { try example.check() }

    @Test(
        "Comments",
        arguments: [
            Case("within a line", "123{{! none }}456", is: "123456"),
            Case("over lines", "123{{!\n  none\n  here...\n}}456\n", is: "123456\n"),
            Case("a line of its own", "a\n{{! none }}\nb\n", is: "a\nb\n"),
            Case("an indented line of its own", "a\n  {{! none }}\nb\n", is: "a\nb\n"),
            Case("a line that ends in \\r\\n", "|\r\n{{! none }}\r\n|", is: "|\r\n|"),
            Case("the first line", "  {{! none }}\n!", is: "!"),
            Case("the last line", "!\n  {{! none }}", is: "!\n"),
            Case("lines of its own", "a\n{{!\nnone\n}}\nb\n", is: "a\nb\n"),
            Case("indented lines of its own", "a\n  {{!\n    none\n  }}\nb\n", is: "a\nb\n"),
            Case("behind text", "  12 {{! 34 }}\n", is: "  12 \n"),
            Case("space around stays", "123 {{! none }} 456", is: "123  456"),
            Case("what looks like a tag", "1{{! {{x }}2", is: "12"),
            Case("what looks like a name", "{{! x }}{{!x}}[{{x}}]", ["! x": 1, "!x": 2, "x": 3], is: "[3]"),
        ])
    func comments(_ example: Case) throws { try example.check() }

    @Test(
        "Delimiters",
        arguments: [
            Case("a pair is changed", "{{=<% %>=}}(<%x%>)", ["x": "a"], is: "(a)"),
            Case("characters that regular expressions know", "({{=[ ]=}}[x])", ["x": "a"], is: "(a)"),
            Case("the same on both sides", "{{=@ @=}}@x@@x@", ["x": "a"], is: "aa"),
            Case("changed back", "{{=| |=}}|x||={{ }}=|{{x}}|x|", ["x": "a"], is: "aa|x|"),
            Case(
                "behind sections", "{{#s}}\n {{x}}|x|\n{{/s}}\n{{= | | =}}\n|#s|\n {{x}}|x|\n|/s|\n", ["s": true, "x": "a"],
                is: " a|x|\n {{x}}a\n"),
            Case(
                "behind inverted sections", "{{^s}}\n {{x}}|x|\n{{/s}}\n{{= | | =}}\n|^s|\n {{x}}|x|\n|/s|\n", ["x": "a"],
                is: " a|x|\n {{x}}a\n"),
            Case("set in a section, they last", "{{#s}}{{=| |=}}|/s||x|{{x}}", ["s": true, "x": "a"], is: "a{{x}}"),
            Case("not those of a partial", "[{{>p}}]\n{{= | | =}}\n[|>p|]\n", ["x": "a"], ["p": ".{{x}}."], is: "[.a.]\n[.a.]\n"),
            Case(
                "a partial's are not ours", "[{{>p}}]\n[.{{x}}. .|x|.]\n", ["x": "a"], ["p": ".{{x}}. {{= | | =}} .|x|."],
                is: "[.a.  .a.]\n[.a. .|x|.]\n"),
            Case("space around stays", "| {{=@ @=}} |", is: "|  |"),
            Case("space in front within a line stays", " | {{=@ @=}}\n", is: " | \n"),
            Case("a line of its own", "a\n{{=@ @=}}\nb\n", is: "a\nb\n"),
            Case("an indented line of its own", "a\n  {{=@ @=}}\nb\n", is: "a\nb\n"),
            Case("a line that ends in \\r\\n", "|\r\n{{= @ @ =}}\r\n|", is: "|\r\n|"),
            Case("the first line", "  {{=@ @=}}\n=", is: "="),
            Case("the last line", "=\n  {{=@ @=}}", is: "=\n"),
            Case("space in the tag is ignored", "|{{= @   @ =}}|", is: "||"),
            Case("three braces with other delimiters", "{{=<% %>=}}<%{x}%><%{ x }%>", ["x": "<"], is: "<<"),
        ])
    func delimiters(_ example: Case) throws { try example.check() }

    @Test(
        "Partials",
        arguments: [
            Case("another template is put in", "[{{>p}}]", [:], ["p": "from p"], is: "[from p]"),
            Case("one that is not there is nothing", "[{{>p}}]", is: "[]"),
            Case("one that is not there takes its line", "[\n {{>p}}\n]", is: "[\n]"),
            Case("it sees our context", "{{#a}}{{>p}}{{/a}}", ["x": 1, "a": ["y": 2]], ["p": "{{x}}{{y}}"], is: "12"),
            Case(
                "it can reach itself", "{{>node}}", ["n": "x", "list": [["n": "y", "list": []]]],
                ["node": "{{n}}<{{#list}}{{>node}}{{/list}}>"], is: "x<y<>>"),
            Case(
                "reaching itself, it indents more each time", "<\n  {{>node}}\n>",
                ["n": 1, "list": [["n": 2, "list": [["n": 3, "list": []]]]]],
                ["node": "{{n}}\n{{#list}}\n {{>node}}\n{{/list}}\n"], is: "<\n  1\n   2\n    3\n>"),
            Case(
                "reaching itself within a line, it does not", "<\n  {{>node}}\n>", ["n": 1, "list": [["n": 2, "list": []]]],
                ["node": "{{n}}\n({{#list}}{{>node}}{{/list}})\n"], is: "<\n  1\n  (2\n()\n)\n>"),
            Case("partials in partials", "{{>a}}", ["x": 1], ["a": "a{{>b}}a", "b": "b{{>c}}b", "c": "{{x}}"], is: "ab1ba"),
            Case("space around stays", "| {{>p}} |", [:], ["p": "\t|\t"], is: "| \t|\t |"),
            Case("within a line nothing is indented", "  {{x}}  {{> p}}\n", ["x": "|"], ["p": ">\n>"], is: "  |  >\n>\n"),
            Case("a line that ends in \\r\\n", "|\r\n{{>p}}\r\n|", [:], ["p": ">"], is: "|\r\n>|"),
            Case("the first line", "  {{>p}}\n>", [:], ["p": ">\n>"], is: "  >\n  >>"),
            Case("the last line", ">\n  {{>p}}", [:], ["p": ">\n>"], is: ">\n  >\n  >"),
            Case(
                "each line is indented, values are not", "\\\n {{>p}}\n/\n", ["x": "<\n->"], ["p": "|\n{{{x}}}\n|\n"],
                is: "\\\n |\n <\n->\n |\n/\n"),
            Case("indentations add up", " {{>a}}\n", [:], ["a": "1\n  {{>b}}\n", "b": "2\n3\n"], is: " 1\n   2\n   3\n"),
            Case(
                "sections in what is indented", " {{>a}}\n", ["x": [1, 2]], ["a": "{{#x}}\n{{.}}\n{{/x}}\n{{#x}}{{.}}{{/x}}\n"],
                is: " 1\n 2\n 12\n"),
            Case("tabs indent too", "\t{{>p}}\n", [:], ["p": "a\nb\n"], is: "\ta\n\tb\n"),
            Case("space in the tag is ignored", "|{{> p }}|", [:], ["p": "[]"], is: "|[]|"),
            Case("names may have dots and slashes", "{{>a/b.c}}", [:], ["a/b.c": "yes"], is: "yes"),
        ])
    func partials(_ example: Case) throws { try example.check() }
}
