#!/usr/bin/env python3
"""Compares the processor time of two builds of the broker, loaded in turns, so that a machine whose speed changes is fair to both.

usage: turns.py OTHER_CHECKOUT [ROUNDS]

OTHER_CHECKOUT is a built checkout of the version to compare with. Both brokers run with their own servers on processor 0, the load generator on
processor 1. In each round, both get the loads A, B and C; the broker of this checkout also gets them with ten open consoles, which read the
overview every 15 s and its charts every 10 s. The share of the processor time that the threads for HTTP took is printed for each load; it does
not depend on the speed of the machine. Afterwards, it prints what each page of the console costs.
"""

import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
ROOT = pathlib.Path(__file__).resolve().parents[2]
WARM_UP_SECONDS = {"A": 20, "B": 40, "C": 30}
CONSOLES = 10
FIGURES = (
    "messagesReceived,messagesSent,messagesDropped,dropped,connections,connects,connectsRefused,cpuPercent,"
    "latencyP50Millis,latencyP99Millis,persistentSessions,retainedMessages"
)
CHARTS = f"/api/v1/history?figures={FIGURES}&range="
PAGES = (
    "/ /alerts /clients /explain /trace /top /slow-clients /topics /topic-tree /shared-groups /retained /publish /mqtt-client /refusals "
    "/credentials /rules /blocked /lockouts /nodes /buckets /stores /ledger /applications /audit /administrators /api-keys /settings "
    f"/account {CHARTS}hour {CHARTS}day"
).split()
HTTP_THREADS = ("ForkJoinPool-", "http-nio-", "VirtualThread-", "Catalina-")
REQUESTS = 100
# As many as a console sends in an hour: before, the code of the pages is hardly compiled.
WARM_UP_READS = 360


def children(pid):
    for child in subprocess.run(["ps", "-o", "pid=", "--ppid", pid], capture_output=True, text=True, check=False).stdout.split():
        yield child
        yield from children(child)


class Broker:
    def __init__(self, checkout, directory):
        output = pathlib.Path(directory) / "output"
        with output.open("w") as written:
            self.process = subprocess.Popen(
                ["taskset", "-c", "0", f"{checkout}/heddle", "--data-dir", f"{directory}/data", "--mqtt-port", "0", "--http-port", "0"],
                stdout=written, stderr=subprocess.STDOUT, env={"HEDDLE_JAVA_OPTS": "-Xmx3g", **os.environ},
            )
        while "\nHeddle is ready" not in "\n" + output.read_text():
            if self.process.poll() is not None:
                sys.exit(f"The broker of {checkout} has not started: {output.read_text()}")
            time.sleep(0.3)
        text = output.read_text()
        self.port = re.search(r"mqtt: tcp://.*:(\d+)", text).group(1)
        self.http_port = int(re.search(r"http: http://.*:(\d+)", text).group(1))
        self.password = re.search(r"admin, password (\S+)", text).group(1)
        self.report = f"{directory}/report.json"
        self.pids = [f"broker={self.process.pid}"]
        for child in children(str(self.process.pid)):
            words = pathlib.Path(f"/proc/{child}/cmdline").read_text().split("\0")
            if "-Dheddle.child=kafka" in words:
                self.pids.append(f"kafka={child}")
            elif words[0].endswith("redis-server"):
                self.pids.append(f"redis={child}")
            elif words[0].endswith("/postgres"):
                self.pids.append(f"postgres={child}+")

    def load(self, name, warm_up, seconds):
        """Returns the figures of one run."""
        java = os.environ.get("JAVA_HOME", "/usr") + "/bin/java"
        command = ["taskset", "-c", "1", java, "-Xmx512m", "-XX:+UseSerialGC", "-jar", f"{ROOT}/perf-tests/target/load.jar", name]
        command += ["--host", "127.0.0.1", "--port", self.port, "--runs", "1", "--json", self.report]
        command += ["--warm-up", f"{warm_up}s", "--duration", f"{seconds}s"]
        for pid in self.pids:
            command += ["--pid", pid]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{name} failed: {done.stdout}{done.stderr}")
        return json.loads(pathlib.Path(self.report).read_text())["runs"][0]

    def processor_millis(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / TICKS_PER_SECOND

    def http_millis(self):
        """Returns the processor time of the threads that handle HTTP: virtual threads on the workers, and the connector's threads."""
        ticks = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                name, fields = (task / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            except OSError:
                continue
            if name.startswith(HTTP_THREADS):
                ticks += int(fields.split()[11]) + int(fields.split()[12])
        return ticks * 1000 / TICKS_PER_SECOND

    def sign_in(self):
        """Returns the cookie of a session."""
        form = urllib.parse.urlencode({"userName": "admin", "password": self.password, "next": "/"})
        connection = http.client.HTTPConnection("127.0.0.1", self.http_port)
        connection.request("POST", "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        response = connection.getresponse()
        response.read()
        return "; ".join(value.split(";")[0] for name, value in response.getheaders() if name.lower() == "set-cookie")


class Reader:
    """A browser that is signed in."""

    def __init__(self, broker, cookie):
        self.connection = http.client.HTTPConnection("127.0.0.1", broker.http_port)
        self.cookie = cookie

    def reconnect(self):
        """Closes the connection, as the broker would before the next read. The next read opens another one."""
        self.connection.close()

    def read(self, path):
        """Returns the number of bytes."""
        accept = "application/json" if path.startswith("/api/") else "text/html"
        self.connection.request("GET", path, headers={"Cookie": self.cookie, "Accept": accept, "X-Requested-With": "fetch"})
        response = self.connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"GET {path}: {response.status}")
        return len(body)


def open_consoles(broker, ended):
    def repeat(reader, page, due, seconds):
        while not ended.wait(max(0, due - time.monotonic())):
            reader.read(page)
            reader.reconnect()
            due += seconds

    cookie = broker.sign_in()
    for i in range(CONSOLES):
        for page, seconds in (("/", 15), (f"{CHARTS}hour", 10)):
            first = time.monotonic() + i * seconds / CONSOLES
            threading.Thread(target=repeat, args=(Reader(broker, cookie), page, first, seconds), daemon=True).start()


def compare(before, after, rounds):
    figure = "cpu broker [µs/delivery]"
    values = {}
    shares = {}
    for i in range(rounds):
        for load in WARM_UP_SECONDS:
            cases = [("before", before), ("after", after), ("consoles", after)]
            for case, broker in cases[i % 3:] + cases[:i % 3]:
                ended = threading.Event()
                if case == "consoles":
                    open_consoles(broker, ended)
                processor, pages = broker.processor_millis(), broker.http_millis()
                values.setdefault((load, case), []).append(broker.load(load, 2, 8)[figure])
                share = (broker.http_millis() - pages) / (broker.processor_millis() - processor)
                shares.setdefault((load, case), []).append(share)
                ended.set()
                print(i + 1, load, case, round(values[(load, case)][-1], 3), f"{share:.2%}", file=sys.stderr, flush=True)
    for load in WARM_UP_SECONDS:
        base = statistics.median(values[(load, "before")])
        for case in ("before", "after", "consoles"):
            of_case = values[(load, case)]
            median = statistics.median(of_case)
            share = statistics.median(shares[(load, case)])
            print(
                f"{load} {case:9} {median:8.3f} µs ({min(of_case):.3f}-{max(of_case):.3f}) {median / base - 1:+.1%}, HTTP {share:.2%}",
                flush=True,
            )


def measure_pages(broker):
    reader = Reader(broker, broker.sign_in())
    for page in PAGES:
        for _ in range(60):
            size = reader.read(page)
        millis = []
        for _ in range(3):
            before = broker.processor_millis()
            for _ in range(REQUESTS):
                reader.read(page)
            millis.append((broker.processor_millis() - before) / REQUESTS)
        print(f"{page.split('?')[0]:18} {statistics.median(millis):6.2f} ms ({min(millis):.2f}-{max(millis):.2f}) {size / 1000:6.1f} kB", flush=True)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) == 3 else 8
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        brokers = []
        try:
            for checkout, directory in ((sys.argv[1], one), (ROOT, other)):
                brokers.append(Broker(checkout, directory))
            for load, seconds in WARM_UP_SECONDS.items():
                for broker in brokers:
                    broker.load(load, seconds, 2)
            reader = Reader(brokers[1], brokers[1].sign_in())
            for _ in range(WARM_UP_READS):
                reader.read("/")
                reader.read(f"{CHARTS}hour")
            compare(*brokers, rounds)
            measure_pages(brokers[1])
        finally:
            for broker in brokers:
                broker.process.terminate()
            for broker in brokers:
                broker.process.wait()


if __name__ == "__main__":
    main()
