import Mustache
import Testing

@Suite("Inheritance: parents and blocks")
struct InheritanceTests {
    @Test(
        "Blocks and their overrides",
        arguments: [
            Case("a block alone renders its content", "{{$name}}somebody{{/name}}\n", is: "somebody\n"),
            Case("a block's content looks names up", "{{$name}}it is {{who}}{{/name}}", ["who": "ada"], is: "it is ada"),
            Case("a block's content may write unescaped", "{{$name}}<{{{who}}}>{{/name}}", ["who": "<a>"], is: "<<a>>"),
            Case(
                "a block's content may have sections", "{{$name}}{{#who}}{{first}}{{/who}}!{{/name}}", ["who": ["first": "ada"]],
                is: "ada!"),
            Case("a block's content may have inverted sections", "{{$name}}{{^who}}nobody{{/who}}{{/name}}", is: "nobody"),
            Case("values are not read as templates", "{{$name}}{{who}}{{/name}}", ["who": "{{x}}", "x": "no"], is: "{{x}}"),
            Case(
                "a parent without arguments is a partial", "{{>base}}|{{<base}}{{/base}}", [:], ["base": "{{$a}}own{{/a}}"],
                is: "own|own"),
            Case("a standalone parent leaves no line end", "{{<base}}{{/base}}\n", [:], ["base": "{{$a}}own{{/a}}"], is: "own"),
            Case("an argument overrides", "{{<base}}{{$a}}new{{/a}}{{/base}}", [:], ["base": "[{{$a}}old{{/a}}]"], is: "[new]"),
            Case(
                "the context does not override", "{{<base}}{{$a}}new{{/a}}{{/base}}", ["a": "data"], ["base": "{{$a}}old{{/a}}"],
                is: "new"),
            Case(
                "the context does not override what is there", "{{<base}}{{/base}}", ["a": "data"], ["base": "{{$a}}old{{/a}}"],
                is: "old"),
            Case(
                "text in front of a parent stays", "so: {{<base}}{{$a}}new{{/a}}{{/base}}", [:], ["base": "{{$a}}old{{/a}}"],
                is: "so: new"),
            Case(
                "a parent can be used twice", "x {{<base}}{{$a}}1{{/a}}{{/base}} {{<base}}{{$a}}2{{/a}}{{/base}}\n", [:],
                ["base": "({{$a}}old{{/a}}{{$b}}-{{/b}})"], is: "x (1-) (2-)\n"),
            Case(
                "line ends of an argument stay, but the first", "{{<base}}{{$a}}\none\n\ntwo\n{{/a}}{{/base}}", [:],
                ["base": "{{$a}}old{{/a}}"], is: "one\n\ntwo\n"),
            Case(
                "the other block keeps its content", "{{<base}}{{$b}}new{{/b}}{{/base}}", [:],
                ["base": "{{$a}}old a{{/a}}, {{$b}}old b{{/b}}"], is: "old a, new"),
            Case(
                "text between arguments is ignored", "{{<base}} some {{$a}}new{{/a}} more {{/base}}", [:],
                ["base": "{{$a}}old{{/a}}"], is: "new"),
            Case("text as only content is ignored", "{{<base}} some more {{/base}}", [:], ["base": "{{$a}}old{{/a}}"], is: "old"),
            Case("a parent that is not there renders nothing", "[{{<none}}{{$a}}new{{/a}}{{/none}}]", is: "[]"),
            Case(
                "the last of the line decides", "{{<b}}{{$x}}page{{/x}}{{/b}}", [:],
                ["b": "{{<c}}{{$x}}b{{/x}}{{/c}}", "c": "{{<d}}{{$x}}c{{/x}}{{/d}}", "d": "{{$x}}d{{/x}}"], is: "page"),
            Case(
                "without the last, the one before it", "{{<b}}{{/b}}", [:],
                ["b": "{{<c}}{{$x}}b{{/x}}{{/c}}", "c": "{{<d}}{{$x}}c{{/x}}{{/d}}", "d": "{{$x}}d{{/x}}"], is: "b"),
            Case(
                "parents that name each other", "{{<a}}{{$x}}new{{/x}}{{/a}}", [:],
                ["a": "{{$x}}a{{/x}} {{$y}}{{<b}}{{/b}}{{/y}}", "b": "{{$x}}b{{/x}} {{<a}}{{$y}}enough{{/y}}{{/a}}"],
                is: "new new new enough"),
            Case(
                "an argument sees the context of the block", "{{<base}}{{$a}}{{name}} here{{/a}}{{/base}}",
                ["name": "ada", "inner": ["name": "bob"]], ["base": "{{#inner}}{{$a}}old{{/a}}{{/inner}}"], is: "bob here"),
            Case(
                "a block in an argument is its own template's",
                "{{<base}}{{$a}}[{{$b}}own{{/b}}]{{/a}}{{$b}}other{{/b}}{{/base}}", [:],
                ["base": "{{$a}}{{/a}}{{$b}}{{/b}}"], is: "[own]other"),
            Case(
                "a block in an argument can be overridden from below", "{{<mid}}{{$b}}page{{/b}}{{/mid}}", [:],
                ["mid": "{{<base}}{{$a}}<{{$b}}mid{{/b}}>{{/a}}{{/base}}", "base": "{{$a}}old{{/a}}"], is: "<page>"),
            Case(
                "an argument named like a block in it ends", "{{<base}}{{$a}}x{{$a}}y{{/a}}{{/a}}{{/base}}", [:],
                ["base": "{{$a}}old{{/a}}"], is: "xy"),
            Case(
                "delimiters do not reach the parent", "{{=<% %>=}}<%<base%><%$a%><%x%><%/a%><%/base%>", ["x": "1"],
                ["base": "{{x}}{{$a}}{{/a}}"], is: "11"),
        ])
    func blocks(_ example: Case) throws { try example.check() }

    @Test(
        "Lines and indentation",
        arguments: [
            Case(
                "a parent with its line to itself indents", "Hi,\n  {{<base}}{{/base}}\n", [:], ["base": "one\ntwo\n"],
                is: "Hi,\n  one\n  two\n"),
            Case(
                "a parent over several lines indents", "Hi,\n  {{<base}}\n  {{$a}}x{{/a}}\n  {{/base}}\nend\n", [:],
                ["base": "one\n{{$a}}{{/a}}\n"], is: "Hi,\n  one\n  x\nend\n"),
            Case("a parent within a line does not", "a {{<base}}{{/base}}\n", [:], ["base": "one\ntwo"], is: "a one\ntwo\n"),
            Case(
                "a block keeps the space in front of it", "{{<base}}{{$a}}new{{/a}}{{/base}}", [:],
                ["base": "list:\n  {{$a}}old{{/a}}\n"], is: "list:\n  new\n"),
            Case(
                "a block indents each line put into it", "{{<base}}{{$a}}\none\ntwo{{/a}}\n{{/base}}\n", [:],
                ["base": "Hi,\n  {{$a}}{{/a}}\n"], is: "Hi,\n  one\n  two\n"),
            Case(
                "an argument loses the space of its lines", "{{<base}}{{$a}}\n    one\n    two\n{{/a}}{{/base}}\n", [:],
                ["base": "Hi,\n  {{$a}}\n  {{/a}}\n"], is: "Hi,\n  one\n  two\n"),
            Case(
                "a standalone block indents like its content", "{{<base}}{{$a}}\none\ntwo\n{{/a}}{{/base}}\n", [:],
                ["base": "Hi,\n{{$a}}\n  old\n{{/a}}\n"], is: "Hi,\n  one\n  two\n"),
            Case(
                "a blank first line does not count", "{{<base}}{{$a}}\none\n{{/a}}{{/base}}\n", [:],
                ["base": "{{$a}}\n\n  old\n{{/a}}\n"], is: "  one\n"),
            Case(
                "a block in an argument is indented from it", "{{<mid}}{{$b}}\nthree\n{{/b}}{{/mid}}\n", [:],
                ["mid": "{{<base}}{{$a}}\n  one\n  {{$b}}\n    two\n  {{/b}}\n{{/a}}{{/base}}\n", "base": "{{$a}}old{{/a}}"],
                is: "one\n  three\n"),
            Case(
                "deeper lines stay deeper", "{{<base}}{{$a}}\n  one\n    two\n{{/a}}{{/base}}\n", [:],
                ["base": "<\n {{$a}}{{/a}}\n>\n"], is: "<\n one\n   two\n\n>\n"),
            Case(
                "a short line loses what it has", "{{<base}}{{$a}}\n    one\n  two\n{{/a}}{{/base}}\n", [:],
                ["base": "{{$a}}\n{{/a}}\n"], is: "one\ntwo\n"),
            Case(
                "a block's own content stays as it is", "<\n  {{$a}}\n    one\n   two\n  {{/a}}\n>", is: "<\n    one\n   two\n>"),
            Case(
                "one line put into a standalone block is indented", "{{<base}}{{$a}}one{{/a}}{{/base}}\n", [:],
                ["base": "<\n{{$a}}\n  old\n{{/a}}\n>"], is: "<\n  one>"),
            Case(
                "lines put within a line are not", "{{<base}}{{$a}}\n  one\n  two\n{{/a}}{{/base}}\n", [:],
                ["base": "<i>{{$a}}{{/a}}</i>\n"], is: "<i>one\ntwo\n</i>\n"),
            Case(
                "sections and partials keep to the new indentation",
                "{{<base}}{{$a}}\n    {{#list}}\n    - {{.}}\n      {{>p}}\n    {{/list}}\n{{/a}}{{/base}}\n",
                ["list": [1, 2]], ["base": "<\n {{$a}}\n {{/a}}\n>\n", "p": "x\ny\n"],
                is: "<\n - 1\n   x\n   y\n - 2\n   x\n   y\n>\n"),
            Case(
                "\\r\\n ends lines", "{{<base}}{{$a}}\r\n  one\r\n{{/a}}{{/base}}\r\n|", [:],
                ["base": "<\r\n {{$a}}\r\n {{/a}}\r\n>\r\n"], is: "<\r\n one\r\n>\r\n|"),
            Case(
                "several blocks follow each other", "{{<base}}\n{{$a}}\n  1\n{{/a}}\n{{$b}}\n  2\n{{/b}}\n{{/base}}\n", [:],
                ["base": "{{$a}}\n{{/a}}\n-\n{{$b}}\n{{/b}}\n"], is: "1\n-\n2\n"),
        ])
    func lines(_ example: Case) throws { try example.check() }
}
