#!/usr/bin/env python3
"""Prints the figures of a live library (`sbfs watch`) beside their aims, and beside other programs in the same run.

  Scripts/watch-benchmark                     all figures of BENCHMARKS.md: 100,000 items, a storm of a million events; about 25 minutes
  Scripts/watch-benchmark --part saves,storm  some of them: saves, start, rest, storm, inbox, views, search, writers, limit, peers
  Scripts/watch-benchmark --sample            a small library and a small storm; fails unless everything is found, and judges no time
  Scripts/watch-benchmark --items N --events N --saves N

Every save is made by the real program. Its time counts from the kernel's time of the file's last change until the index has the
new word, looked at from outside without asking the daemon. Other programs that use the processors make all times longer; the load is
printed with them. Benchmarks/Watch/README.md says how each figure is measured.
"""
import argparse
import itertools
import os
import signal
import statistics
import sys
import time

import costs
import peers
import saves
from daemon import Daemon, Look
from programs import PROGRAMS
from setting import Setting, item_folders, load, say
from storm import Storm, rage, until_right

PARTS = ("saves", "start", "rest", "storm", "inbox", "views", "search", "writers", "limit", "peers")


class Table:
    def __init__(self):
        self.missed = []

    def row(self, what, figure, aim="", is_met=None):
        verdict = "" if is_met is None else "met" if is_met else "MISSED"
        print("| %s | %s | %s | %s |" % (what, figure, aim, verdict), flush=True)
        if is_met is False:
            self.missed.append(what)


def p50_p95(values):
    return "%.0f / %.0f ms" % (saves.quantile(values, 0.5), saves.quantile(values, 0.95))


def part_saves(setting, options, table):
    library = setting.large_library(options.items)
    folders = iter(item_folders(library, len(PROGRAMS) * (options.saves + options.questions) + 5))
    daemon, look = Daemon(setting, library), Look(setting, library)
    say("saves, found in the index without a question; %s" % load())
    delays = saves.measure_saves(setting, library, look, folders, options.saves)
    say("questions right after a save")
    questions = saves.measure_questions(setting, library, folders, options.questions)
    look.close()
    daemon.stop()
    for name in PROGRAMS:
        median, high = saves.quantile(delays[name], 0.5), saves.quantile(delays[name], 0.95)
        table.row("saved by %s, in the index after (p50 / p95 of %d)" % (name, len(delays[name])), p50_p95(delays[name]),
                  "250 / 300 ms", median <= 250 and high <= 300)
    everything = list(itertools.chain(*delays.values()))
    table.row("all %d saves (p50 / p95)" % len(everything), p50_p95(everything), "250 / 300 ms",
              saves.quantile(everything, 0.5) <= 250 and saves.quantile(everything, 0.95) <= 300)
    asked = list(itertools.chain(*questions.values()))
    table.row("`sbfs search` right after a save: found by %d of %d (p50 / p95)" % (len(asked), len(asked)), p50_p95(asked),
              "all", True)


def part_start(setting, options, table):
    library = setting.large_library(options.items)
    # The first start fills the cache of the kernel.
    Daemon(setting, library).stop()
    seconds, resident, peak, status, kernel = costs.start_and_memory(setting, library, options.runs)
    table.row("start at %d items until ready, best (median) of %d" % (options.items, len(seconds)),
              "%.2f (%.2f) s" % (min(seconds), statistics.median(seconds)), "1.5 s", min(seconds) <= 1.5)
    best = min(resident)
    table.row("memory, resident (of it no file)", "%.0f (%.0f) MB" % best, "60 MB", best[0] <= 60)
    table.row("memory, most resident", "%.0f MB" % min(peak))
    table.row("watches; memory of the kernel for them (SUnreclaim, median)", "%d; %.0f MB" % (status["watches"], kernel), "stated")


def part_rest(setting, options, table):
    library = setting.large_library(options.items)
    daemon = Daemon(setting, library)
    wakes = costs.rest(daemon, options.before_rest, options.rest)
    daemon.stop()
    table.row("wake-ups a minute at rest, all threads, over %d s" % options.rest, "%.1f" % wakes, "2", wakes <= 2)


def storm_library(setting, name, count):
    library = setting.work + "/" + name
    setting.run(setting.sbfs, "init", library)
    storm = Storm(library, count)
    setting.run(setting.sbfs, "--library", library, "reindex")
    return library, storm


def part_storm(setting, options, table):
    library, storm = storm_library(setting, "storm", options.storm_items)
    daemon, look = Daemon(setting, library), Look(setting, library)
    begun = storm.events
    seconds = rage(storm, begun + options.events, lambda: daemon.signal(signal.SIGSTOP), lambda: daemon.signal(signal.SIGCONT),
                   options.stopped)
    if not daemon.is_alive():
        sys.exit("the daemon ended in the storm; see %s" % daemon.log.name)
    after, left = until_right(storm, look.now, 60)
    if left:
        sys.exit("wrong a minute after the storm: %s" % left[:5])
    status = daemon.status()
    wrong = [word for word, ids in storm.expectation() if sorted(setting.run(
        setting.sbfs, "--library", library, "search", "--ids", word, status=(0, 3)).split()) != ids]
    peak = daemon.peak()
    look.close()
    daemon.stop()
    if wrong:
        sys.exit("sbfs search is wrong about %s" % wrong[:5])
    if not status["overflows"] and options.events >= 500_000:
        sys.exit("the storm was too small: the kernel lost no event")
    table.row("storm of %d events in %.0f s, daemon stopped for %d s in it (the kernel's queue overflowed %d times): %d answers right after"
              % (storm.events - begun, seconds, options.stopped, status["overflows"], len(storm.expectation())),
              "%.1f s" % after, "10 s", after <= 10)
    table.row("memory in the storm, most resident", "%.0f MB" % peak)


def part_inbox(setting, options, table):
    library = setting.library(options.small, "for-inbox")
    seconds = costs.inbox(setting, library, options.files)
    table.row("%d files in the inbox, until all are items (2 s of it is the wait for complete files)" % options.files,
              "%.1f s" % seconds, "10 s", seconds <= 10)


def part_views(setting, options, table):
    library = setting.library(options.small, "for-views")
    seconds, count, after = costs.views(setting, library)
    if count < options.small:
        sys.exit("the view shows %d of %d items" % (count, options.small))
    table.row("full view of %d items with links" % options.small, "%.1f s" % seconds, "15 s", seconds <= 15)
    table.row("the view after one change, in process, median (range)", "%.0f (%.0f–%.0f) ms" % tuple(after), "50 ms", after[0] <= 50)
    delays = costs.shown_after(setting, library, options.shown)
    table.row("the daemon's view after a save, p50 / p95", p50_p95(delays), "1 s", saves.quantile(delays, 0.95) <= 1000)
    speed, peer = costs.copied_view(setting, options.megabytes)
    table.row("view that copies %d MB of documents; `cp -r` and `sync` of the same" % options.megabytes,
              "%.0f MB/s; %.0f MB/s" % (speed, peer), "100 MB/s", speed >= 100)


def part_search(setting, options, table):
    library = setting.large_library(options.items)
    ask = lambda: [float(word) for word in setting.run(
        setting.bench, "watch", "ask", "--sbfs", setting.sbfs, "--library", library, "--query", "granite",
        "--runs", str(options.asks)).split()]
    without = ask()
    daemon = Daemon(setting, library)
    times = ask()
    daemon.stop()
    table.row("`sbfs search` at %d items with the daemon, median (range) to the last byte" % options.items,
              "%.1f (%.1f–%.1f) ms" % tuple(times), "8 ms", times[0] <= 8)
    table.row("the same without a daemon", "%.1f (%.1f–%.1f) ms" % tuple(without))


def part_writers(setting, options, table):
    library = setting.library(options.small, "for-writers")
    seconds, after, count, checked = costs.writers(setting, library, 8, options.each)
    table.row("8 writing commands at a time beside the daemon, %d items and as many edits in %.1f s: nothing lost; the index has all after"
              % (count, seconds), "%.2f s" % after, "no loss", True)


def part_limit(setting, options, table):
    count = max(options.small, 3000)
    library = setting.library(count, "for-limit")
    for is_known, what in ((True, "fs.inotify.max_user_watches"), (False, "user.max_inotify_watches")):
        limit = count // 2
        daemon = Daemon(setting, library, before=costs.few_watches(setting, library, limit, is_known))
        status = daemon.status()
        spoken = setting.run(setting.sbfs, "--library", library, "status")
        # The items that changed last are watched, and `catch-up` says that the index may be behind; the command compares by itself.
        word = saves.new_word()
        folder = item_folders(library, 1)[0]
        peers.save(folder + "/text.md", word)
        ids = setting.run(setting.sbfs, "--library", library, "search", "--fresh", "--ids", word).split()
        daemon.stop()
        watched, unwatched = status["watchedItems"], status["unwatchedItems"]
        if watched + unwatched != count or not unwatched or not watched or status["watches"] > 0.8 * limit or ids != [os.path.basename(folder)]:
            sys.exit("with %s = %d: %s" % (what, limit, status))
        if "%d watched, %d compared every minute" % (watched, unwatched) not in spoken:
            sys.exit("status does not show both counts: %s" % spoken)
        table.row("%s = %d, %d items: `status` shows" % (what, limit, count),
                  "%d watched, %d compared every minute (%d watches)" % (watched, unwatched, status["watches"]), "both counts", True)


def part_peers(setting, options, table):
    library = setting.large_library(options.items)
    for peer in peers.PEERS:
        if peers.missing(peer.program, peer.package):
            table.row(peer.name, "not installed: apt-get install " + peer.package)
            continue
        say("%s; %s" % (peer.name, load()))
        folders = iter(item_folders(library, 100)[40:])
        run = peer(setting, library)
        delays = peers.tell_delays(run, folders, options.peer_saves)
        resident = run.costs.resident()[0]
        ready = run.ready_after
        run.stop()
        table.row("%s: set up at %d items; memory; a save is known after p50 / p95" % (peer.name, options.items),
                  "%.1f s; %.0f MB; %s" % (ready, resident, p50_p95(delays)))
    for peer in peers.PEERS:
        if peers.missing(peer.program, peer.package):
            continue
        folder, storm = storm_library(setting, "storm-" + peer.program, options.storm_items)
        run = peer(setting, folder)
        table.row("%s in the same storm" % peer.name, peers.in_storm(run, storm, options.events, options.stopped))
        run.stop()
    if peers.missing("recollindex", "recollcmd"):
        table.row("recollindex -m", "not installed: apt-get install recollcmd")
    else:
        say("recollindex -m; %s" % load())
        delays, resident = peers.recoll_delays(setting, options.recoll_saves)
        table.row("recollindex -m, 1,000 files: a save is found after (%d saves); memory" % len(delays),
                  "%s; %.0f MB" % (", ".join("%.0f s" % (delay / 1000) for delay in delays), resident))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sbfs", default=os.environ.get("SBFS"))
    parser.add_argument("--bench", default=os.environ.get("SBFS_BENCH"))
    parser.add_argument("--work", default=os.environ.get("BENCHMARK_WORK"))
    parser.add_argument("--part", default="")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    if not options.sbfs or not options.bench or not options.work:
        parser.error("run Scripts/watch-benchmark")
    options.questions, options.storm_items, options.stopped, options.files = 5, 100, 20, 1000
    options.small, options.shown, options.megabytes, options.asks, options.each = 10_000, 10, 400, 51, 25
    options.rest, options.before_rest, options.peer_saves, options.recoll_saves = 120, 70, 10, 2
    parts = [part for part in options.part.split(",") if part]
    if options.sample:
        options.items, options.events, options.saves, options.questions, options.stopped = 6000, 30_000, 2, 2, 1
        options.files, options.small, options.shown, options.megabytes, options.asks, options.each = 50, 300, 2, 8, 3, 5
        options.runs, options.storm_items = 1, 30
        parts = parts or ["saves", "start", "storm", "inbox", "views", "search", "writers", "limit"]
    for part in parts:
        if part not in PARTS:
            parser.error("--part: %s is none of %s" % (part, ", ".join(PARTS)))
    setting = Setting(options.sbfs, options.bench, options.work)
    table = Table()
    try:
        print("%d processors, Linux %s, %s at the beginning; %s\n" % (
            os.cpu_count(), os.uname().release, load(), setting.run(setting.sbfs, "version").strip().split("\n")[0]))
        print("| what | measured | aim | |\n|---|---|---|---|", flush=True)
        for part in parts or PARTS:
            globals()["part_" + part](setting, options, table)
        print("\n%s at the end" % load())
    finally:
        setting.close()
    if options.sample:
        print("every save was found, and every answer was right; times are not judged")
    elif table.missed:
        print("missed: " + "; ".join(table.missed))


if __name__ == "__main__":
    main()
