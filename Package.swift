// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: Swift 6 concurrency checking, and warnings are errors.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Code that waits for files, terminals, browsers and the network: its size counts, not its speed.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// A package with such flags cannot be a dependency, so the library has them only in the programs that the scripts build.
let smallInPrograms = Context.environment["SBFS_PROGRAMS"] == nil ? [] : small

let package = Package(
    name: "stuffbucket",
    products: [
        .library(name: "StuffBucket", targets: ["StuffBucket"]),
        .executable(name: "sbfs", targets: ["sbfs"]),
        .executable(name: "sbfs-worker", targets: ["sbfs-worker"]),
        .executable(name: "sbfs-bench", targets: ["Benchmarks"]),
    ],
    targets: [
        // Dependencies point one way:
        //   StuffBucket → Merge → Items: Merge is a pure function of versions
        //   sbfs → StuffBucket → {Items, Search} → Files, and of the plain ones (Characters, Time, JSONFormat, URLs, HTML)
        //   sbfs-worker → Capture → Reader; only Capture touches libcurl,
        //   and only Packing libarchive
        .systemLibrary(name: "CSystem"),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CHints"),
        .target(name: "CRuntime"),
        .target(name: "CHash"),
        .target(name: "Characters", swiftSettings: strict),
        .target(name: "Time", swiftSettings: strict),
        .target(name: "JSONFormat", dependencies: ["Characters"], swiftSettings: strict),
        .target(name: "PropertyList", dependencies: ["Characters", "Time"], swiftSettings: strict),
        .target(
            name: "WorkerProtocol", dependencies: ["JSONFormat", "Characters"], swiftSettings: strict + smallInPrograms),
        .target(name: "URLs", dependencies: ["Characters"], swiftSettings: strict),
        .target(name: "HTML", dependencies: ["Characters", "URLs"], swiftSettings: strict),
        .target(name: "Files", dependencies: ["CSystem", "CRuntime", "CHash"], swiftSettings: strict),
        .target(name: "CConfinement"),
        .target(name: "Confinement", dependencies: ["CConfinement", "CSystem", "Files"], swiftSettings: strict),
        .target(
            name: "Items", dependencies: ["Files", "Time", "Characters", "JSONFormat", "URLs"], swiftSettings: strict),
        .target(name: "Merge", dependencies: ["Items", "Files", "Time", "JSONFormat"], swiftSettings: strict),
        .target(name: "Search", dependencies: ["CHints", "Files", "Time", "Characters"], swiftSettings: strict),
        .target(
            name: "Reader", dependencies: ["HTML", "URLs", "JSONFormat", "Time", "Characters"],
            swiftSettings: strict),
        .target(
            name: "Capture",
            dependencies: [
                "CCurl", "CConfinement", "CSystem", "Confinement", "Reader", "HTML", "URLs", "JSONFormat",
                "PropertyList", "Files", "Time",
                "Characters",
                "WorkerProtocol",
            ],
            swiftSettings: strict + small),
        .target(
            name: "Packing", dependencies: ["CArchive", "WorkerProtocol", "Files"], swiftSettings: strict),
        .target(
            name: "Exchange",
            dependencies: ["Items", "JSONFormat", "PropertyList", "URLs", "HTML", "Files", "Time", "Characters"],
            swiftSettings: strict + smallInPrograms),
        .target(
            name: "StuffBucket",
            dependencies: [
                "Items", "Merge", "Search", "Exchange", "Files", "Time", "Characters", "JSONFormat", "PropertyList",
                "URLs", "HTML", "WorkerProtocol",
            ],
            swiftSettings: strict + smallInPrograms),
        .executableTarget(
            name: "sbfs", dependencies: ["StuffBucket"], packageAccess: false, swiftSettings: strict + small),
        // Example programs, which see only the public interface, as any other program does.
        .executableTarget(
            name: "reading-list", dependencies: ["StuffBucket"], path: "Examples/ReadingList", packageAccess: false,
            swiftSettings: strict),
        .executableTarget(
            name: "feed-list", dependencies: ["StuffBucket"], path: "Examples/FeedList", packageAccess: false,
            swiftSettings: strict),
        .executableTarget(
            name: "similar-tags", dependencies: ["StuffBucket"], path: "Examples/SimilarTags", packageAccess: false,
            swiftSettings: strict),
        .executableTarget(
            name: "sbfs-worker",
            dependencies: [
                "Capture", "Packing", "CConfinement", "Confinement", "Reader", "HTML", "URLs", "JSONFormat", "Files",
                "Time",
                "Characters", "WorkerProtocol",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "StuffBucket", "Items", "Merge", "Search", "Exchange", "Files", "Time", "JSONFormat", "PropertyList",
                "Characters", "URLs", "HTML", "Reader", "Confinement", "MergeHistories",
            ],
            swiftSettings: strict),
        .target(name: "TestSupport", dependencies: ["Files"], path: "Tests/Support", swiftSettings: strict),
        // Random histories of versions: a sample in tests, a million in sbfs-bench.
        .target(
            name: "MergeHistories", dependencies: ["Merge", "Items", "Time", "JSONFormat", "TestSupport"],
            path: "Tests/MergeHistories", swiftSettings: strict),
        .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "JSONFormatTests", dependencies: ["JSONFormat", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "WorkerProtocolTests", dependencies: ["WorkerProtocol", "JSONFormat", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "PropertyListTests", dependencies: ["PropertyList", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "URLsTests", dependencies: ["URLs", "JSONFormat", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "HTMLTests", dependencies: ["HTML", "URLs", "JSONFormat", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ReaderTests",
            dependencies: ["Reader", "HTML", "URLs", "JSONFormat", "Time", "Characters", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CaptureTests",
            dependencies: [
                "Capture", "Reader", "HTML", "URLs", "JSONFormat", "Files", "Time", "Characters", "WorkerProtocol",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ItemsTests",
            dependencies: ["Items", "sbfs", "Files", "Time", "Characters", "JSONFormat", "URLs", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MergeTests",
            dependencies: ["Merge", "MergeHistories", "Items", "Time", "JSONFormat", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SearchTests", dependencies: ["Search", "Files", "Time", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ExchangeTests",
            dependencies: ["Exchange", "sbfs", "Items", "JSONFormat", "PropertyList", "Files", "Time", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StuffBucketTests",
            dependencies: [
                "StuffBucket", "sbfs", "Items", "Search", "Exchange", "Files", "Time", "JSONFormat", "URLs",
                "WorkerProtocol", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FormatTests",
            dependencies: [
                "StuffBucket", "Items", "Merge", "Search", "Files", "Time", "Characters", "JSONFormat", "URLs",
                "TestSupport",
            ], swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: ["sbfs", "reading-list", "feed-list", "similar-tags", "Files", "JSONFormat", "TestSupport"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
