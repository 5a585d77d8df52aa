// A long command gives way to a server that waits for the database, and to nobody else.

import Foundation
import Testing

@testable import Docket

struct WritersTurnTests {
    @Test("A command waits exactly as long as a server waits for the database")
    func givesWay() throws {
        let place = try ImportPlace()
        WritersTurn.giveWay(place.database)  // No server: at once.
        let wish = WritersWish(place.database)
        WritersTurn.giveWay(place.database)  // One that waits for nothing.
        let clock = ContinuousClock()
        let waited = wish.hold { clock.measure { WritersTurn.giveWay(place.database) } }
        #expect(waited >= .seconds(2))  // One that never comes to its turn holds nobody up for ever.
        #expect(clock.measure { WritersTurn.giveWay(place.database) } < .seconds(2))
        wish.end()
        #expect(!FileManager.default.fileExists(atPath: WritersTurn.path(place.database)))
    }
}
