// What a program that imports StuffBucket needs of the modules below it: items and their fields, queries, formats of other
// programs, times, JSON, and what prints and writes all of that without harm.
@_exported public import Characters
@_exported public import Exchange
@_exported public import Files
@_exported public import Items
@_exported public import JSONFormat
@_exported public import Search
@_exported public import Time
@_exported public import URLs
@_exported public import WorkerProtocol
