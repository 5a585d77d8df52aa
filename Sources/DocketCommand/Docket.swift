// The program: finds the sub-command, runs it, and turns what it throws into one line and an exit code.
// Exit codes: 0 done, 1 failed, 2 wrong usage.

import Docket
import Glibc
import SQLite

@main
enum Program {
    static func main() async {
        let isOutputClosed = fcntl(STDOUT_FILENO, F_GETFD) < 0
        // Where one of the three is closed, a database or a socket would get its number, and messages would go there.
        while true {
            let descriptor = open("/dev/null", O_RDWR)
            if descriptor > STDERR_FILENO || descriptor < 0 {
                close(descriptor)
                break
            }
        }
        do {
            let (command, arguments) = try Command.find(Array(CommandLine.arguments.dropFirst()))
            if isOutputClosed, command.answers {
                throw Failure("standard output is closed: nobody would see the answer, so nothing is done")
            }
            try await command.run(arguments)
            exit(0)
        } catch let usage as Usage {
            Terminal.error("docket: \(usage.description)")
            exit(2)
        } catch let mistake as Config.Mistake {
            Terminal.error("docket: \(mistake.description)")
            exit(2)
        } catch {
            Terminal.error("docket: \(error)")
            exit(1)
        }
    }
}

/// A wrong call: one line, exit code 2.
struct Usage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A failure that is told in one line, exit code 1.
typealias Failure = CommandFailure
