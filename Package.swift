// swift-tools-version: 6.2
// Targets and strict settings, nothing else. Docket depends on no package: only on the toolchain,
// on the system's libsqlite3 and on the system's libargon2.

import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "docket",
    products: [.executable(name: "docket", targets: ["DocketCommand"])],
    targets: [
        .target(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        library("HTTP"),
        library("HTTPServer", ["HTTP", "CLinux"], exclude: ["CONFORMANCE.md"]),
        library("SQLite", ["CSQLite"]),
        library("Mustache"),
        library("Argon2", ["CArgon2"]),
        library("Docket", ["HTTP", "SQLite", "Mustache", "Argon2"], exclude: ["Text/Tables"]),
        .executableTarget(
            name: "DocketCommand",
            dependencies: ["Docket", "HTTPServer", "HTTP", "SQLite", "Mustache", "Argon2", "CLinux"],
            swiftSettings: strict),
        tests("HTTPTests", ["HTTP"]),
        tests("HTTPServerTests", ["HTTPServer", "HTTP", "CLinux"]),
        tests("SQLiteTests", ["SQLite"]),
        tests("MustacheTests", ["Mustache"]),
        tests("Argon2Tests", ["Argon2"]),
        tests(
            "DocketTests", ["Docket", "HTTP", "SQLite", "Mustache", "Argon2"],
            exclude: ["Data/schema-1.sql", "Data/schema-8.sql", "Data/schema-9.sql"]),
    ],
    swiftLanguageModes: [.v6]
)
