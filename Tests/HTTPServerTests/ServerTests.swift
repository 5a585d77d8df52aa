// All tests of the server, one after the other: their clients block, and the test runner has few threads to block.

import Testing

@Suite(.serialized) enum ServerTests {}
