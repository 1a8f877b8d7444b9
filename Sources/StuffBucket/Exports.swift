// The public part of the modules below StuffBucket: items and their fields, queries, formats of other programs,
// times, JSON, and safe output of all of these.
@_exported public import Characters
@_exported public import Exchange
@_exported public import Files
@_exported public import Items
@_exported public import JSONFormat
@_exported public import PropertyList
@_exported public import Search
@_exported public import Time
@_exported public import URLs
@_exported public import WorkerProtocol
