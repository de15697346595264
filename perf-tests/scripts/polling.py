#!/usr/bin/env python3
"""Measures what an administrator who polls costs a broker under load.

usage: polling.py WARM_UP_SECONDS WINDOWS SECONDS

Run it beside "perf-tests/scenario", whose broker it finds by its output. In every second window of time, it sends GET
/api/v1/clients?limit=100 and GET /api/v1/nodes each second. It prints the processor time of the threads of the broker and of its
servers in both kinds of windows, in milliseconds per second, and that of all of them per delivered message. Each window begins and
ends with a request for the metrics, in which the messages are counted.
"""

import base64
import collections
import glob
import os
import re
import subprocess
import sys
import threading
import time
import urllib.request

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
DELIVERED = "heddle_messages_delivered_total"
SHOWN_MILLIS = 0.5


class Broker:
    """The broker of the scenario, as its administrator sees it."""

    def __init__(self, output):
        self.url = re.search(r"http: (http://\S+)", output).group(1)
        password = re.search(r"admin, password (\S+)", output).group(1)
        self.authorization = "Basic " + base64.b64encode(f"admin:{password}".encode()).decode()

    @staticmethod
    def find():
        while True:
            for path in glob.glob("/tmp/heddle-scenario.*/broker.log"):
                with open(path, encoding="utf-8") as log:
                    output = log.read()
                if "Heddle is ready" in output:
                    return Broker(output)
            time.sleep(0.3)

    def get(self, path):
        request = urllib.request.Request(self.url + path, headers={"Authorization": self.authorization})
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.read().decode()

    def delivered(self):
        lines = self.get("/actuator/prometheus").splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(DELIVERED))


def processes():
    """Returns the ids of the processes of the broker and of its servers."""
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        pid, words = line.split(None, 1)
        is_server = any(name in words for name in ("heddle-scenario", "heddle.child")) or words.startswith("postgres")
        if is_server and "load.jar" not in words and "perf-tests/scenario" not in words:
            yield pid


def ticks():
    """Returns the processor time of the threads, by the names of process and thread without numbers."""
    used = collections.Counter()
    for pid in processes():
        for path in glob.glob(f"/proc/{pid}/task/*/stat"):
            try:
                with open(path, encoding="utf-8", errors="replace") as stat:
                    head, fields = stat.read().rsplit(")", 1)
            except OSError:
                continue  # The thread has ended.
            name = re.sub(r"[-# ]*[0-9]+$", "", head.split("(", 1)[1])
            used[name] += sum(int(field) for field in fields.split()[11:13])
    return used


def poll(broker, polling):
    while True:
        polling.wait()
        broker.get("/api/v1/clients?limit=100")
        broker.get("/api/v1/nodes")
        time.sleep(1)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    warm_up, windows, seconds = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    broker = Broker.find()
    polling = threading.Event()
    threading.Thread(target=poll, args=(broker, polling), daemon=True).start()
    polling.set()
    time.sleep(warm_up)
    used = [collections.Counter(), collections.Counter()]
    messages = [0, 0]
    for window in range(windows):
        polls = window % 2
        if polls:
            polling.set()
        else:
            polling.clear()
            time.sleep(1)  # Until the last answer.
        before, delivered = ticks(), broker.delivered()
        time.sleep(seconds)
        after = ticks()
        messages[polls] += broker.delivered() - delivered
        used[polls].update({name: after[name] - before[name] for name in after})
    millis = 1000 / TICKS_PER_SECOND / (windows / 2 * seconds)
    print(f"{'threads':20}{'alone':>12}{'polled':>12}  ms/s")
    for name, _ in (used[0] + used[1]).most_common():
        alone, polled = used[0][name] * millis, used[1][name] * millis
        if max(alone, polled) > SHOWN_MILLIS:
            print(f"{name:20}{alone:12.1f}{polled:12.1f}")
    per_message = [used[i].total() * 1e6 / TICKS_PER_SECOND / messages[i] for i in (0, 1)]
    print(f"{'all, per message':20}{per_message[0]:12.3f}{per_message[1]:12.3f}  us, {per_message[1] / per_message[0] - 1:+.1%}")


main()
