// A file whose lock is a right: to serve a database, to import for a person. The lock is gone with its process, however that ends.

import Glibc

enum LockFile {
    /// The descriptor of the file, made and locked; nil where someone else has it.
    static func take(_ path: String) throws -> Int32? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw CommandFailure(system: path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                return nil
            }
            var status = stat()
            // The one before us may have removed the file that we have just locked.
            if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return descriptor }
            close(descriptor)
        }
    }
}
