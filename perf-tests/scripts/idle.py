#!/usr/bin/env python3
"""Measures what brokers without clients cost: processor time and wake-ups of each thread.

usage: idle.py [NODES [SECONDS]]

Starts ./heddle of this checkout with its own servers, and measures for SECONDS (60) when the compilers have become quiet. With NODES 0, the broker
is stopped meanwhile, so that the servers are alone. Percentages are of one processor, by ticks of 10 ms. A wake-up is a voluntary context switch.
"""

import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
ROOT = pathlib.Path(__file__).resolve().parents[2]
SETTLING_SECONDS = 90
COMPILERS = re.compile(r"C[12] Compiler")


def children(pid):
    for child in subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout.split():
        yield child
        yield from children(child)


def kind(pid):
    words = pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    if "-Dheddle.child=kafka" in words:
        return "kafka"
    program = words[0].rsplit("/", 1)[-1].split(":")[0]
    return {"redis-server": "redis", "postgres": "postgres", "java": "broker"}.get(program, program)


def threads(pids):
    """Returns the processor time in ms and the wake-ups of each thread, by its process and id."""
    found = {}
    for pid in pids:
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
            try:
                name, fields = (task / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
                status = (task / "status").read_text()
                ticks = sum(int(field) for field in fields.split()[11:13])
            except OSError:
                continue
            wakeups = int(re.search(r"voluntary_ctxt_switches:\s+(\d+)", status).group(1))
            found[(pid, task.name)] = (name, ticks * 1000 / TICKS_PER_SECOND, wakeups)
    return found


def group(name):
    """Threads of a pool have one row."""
    return re.sub(r"[-_ ]?\d+$", "", name)


def main():
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with tempfile.TemporaryDirectory() as directory:
        output = pathlib.Path(directory) / "output"
        command = [f"{ROOT}/heddle", "--data-dir", f"{directory}/data", "--mqtt-port", "0", "--http-port", "0"]
        if nodes > 1:
            command += ["--nodes", str(nodes)]
        with output.open("w") as written:
            process = subprocess.Popen(command, stdout=written, stderr=subprocess.STDOUT)
        try:
            while "ready" not in output.read_text():
                if process.poll() is not None:
                    sys.exit(f"The broker has not started: {output.read_text()}")
                time.sleep(0.3)
            time.sleep(SETTLING_SECONDS)
            pids = [str(process.pid), *children(process.pid)]
            if nodes == 0:
                process.send_signal(signal.SIGSTOP)
            kinds = {pid: kind(pid) for pid in pids}
            before = threads(pids)
            time.sleep(seconds)
            after = threads(pids)
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait()
    rows = collections.defaultdict(lambda: [0, 0.0, 0.0])
    sums = collections.defaultdict(lambda: [0, 0.0, 0.0])
    for thread, (name, millis, wakeups) in after.items():
        _, millis_before, wakeups_before = before.get(thread, (name, 0, 0))
        process_kind = kinds[thread[0]]
        key = (process_kind, "compilers" if COMPILERS.match(name) else group(name))
        for row in (rows[key], sums[process_kind]):
            row[0] += 1
            row[1] += (millis - millis_before) / seconds / 10
            row[2] += (wakeups - wakeups_before) / seconds
    print(f"{nodes} nodes, {seconds} s\n")
    print("| Process | Thread | Threads | % of a processor | Wake-ups/s |\n|---|---|---|---|---|")
    for process_kind in sorted(sums):
        count, percent, wakeups = sums[process_kind]
        print(f"| **{process_kind}** | all | {count} | **{percent:.2f}** | **{wakeups:.1f}** |")
        of_kind = [(key[1], row) for key, row in rows.items() if key[0] == process_kind]
        for name, (count, percent, wakeups) in sorted(of_kind, key=lambda each: -each[1][1]):
            if percent >= 0.01 or wakeups >= 0.5:
                print(f"| {process_kind} | `{name}` | {count} | {percent:.2f} | {wakeups:.1f} |")


if __name__ == "__main__":
    main()
