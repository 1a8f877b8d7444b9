// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same bar: Swift 6 concurrency checking, and no warning is let through.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "stuffbucket",
    products: [
        .library(name: "StuffBucket", targets: ["StuffBucket"]),
        .executable(name: "sbfs", targets: ["sbfs"]),
        .executable(name: "sbfs-bench", targets: ["Benchmarks"]),
    ],
    targets: [
        // Dependencies point one way: sbfs → StuffBucket → {Items, Search} → Files → CSystem; Time needs nothing.
        .systemLibrary(name: "CSystem"),
        .target(name: "Files", dependencies: ["CSystem"], swiftSettings: strict),
        .target(name: "Time", swiftSettings: strict),
        .target(name: "Items", dependencies: ["Files", "Time"], swiftSettings: strict),
        .target(name: "Search", dependencies: ["Files", "Time"], swiftSettings: strict),
        .target(name: "StuffBucket", dependencies: ["Items", "Search", "Files", "Time"], swiftSettings: strict),
        .executableTarget(
            name: "sbfs", dependencies: ["StuffBucket", "Items", "Search", "Files", "Time"], swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks", dependencies: ["StuffBucket", "Items", "Search", "Files", "Time"], swiftSettings: strict
        ),
        .target(name: "TestSupport", dependencies: ["Files"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ItemsTests", dependencies: ["Items", "Files", "Time", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SearchTests", dependencies: ["Search", "Files", "Time", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "StuffBucketTests", dependencies: ["StuffBucket", "Items", "Search", "Files", "Time", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "FormatTests", dependencies: ["StuffBucket", "Items", "Search", "Files", "Time", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "CommandTests", dependencies: ["sbfs", "Files", "TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
