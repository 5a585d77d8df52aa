// The help page: the address that it prints is the one by which it was reached.

import HTTP
import Testing

@testable import Docket

@Suite struct HelpPageTests {
    @Test func `The lines for scripts carry the address of the request`() throws {
        let ada = try TestApp().person("ada")
        let page = try ada.get("/help")
        #expect(page.status == 200)
        let text = HTMLReader.decode(page.text)
        #expect(text.contains("-d title=\"Buy milk\" -d due=2026-12-24 http://docket.test/tasks\n"))
        #expect(text.contains("\"http://docket.test/tasks?due=today&format=text\"\n"))
        #expect(text.contains("-d username=ada -d password=\"$PW\" http://docket.test/sign-in && curl -b jar"))
    }

    @Test func `Behind a proxy it is the public address, base path and all`() throws {
        var config = Config()
        config.publicURL = PublicURL("https://home.example/docket/")
        let test = try TestApp(config)
        _ = try test.person("ada")
        let script = test.stranger()
        script.token = try test.token("ada")
        let page = try script.get("/docket/help?format=html", accept: nil)
        #expect(page.status == 200 && page.contains("https://home.example/docket/tasks"))
    }

    @Test func `It speaks Chinese`() throws {
        let page = try TestApp().person("ada", language: .chinese).get("/help")
        #expect(page.heading == "帮助" && page.contains("快捷键") && page.contains("title=&quot;买牛奶&quot;") == false)
        #expect(page.contains("买牛奶") && page.contains("给花浇水"))
    }
}
