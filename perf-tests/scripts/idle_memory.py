#!/usr/bin/env python3
"""Measures the memory of a running broker for each idle connection.

usage: idle_memory.py HOST PORT PID CONNECTIONS [JCMD]

Opens MQTT 3.1.1 connections (clean session, keep alive 60 s, no subscription), with garbage collections before and after, and
prints the growth of the resident memory and of the live heap for each connection. The heap keeps pages that it used earlier, so
resident memory alone can be too low: use the larger of the two. A warm-up opens and closes some connections first, so that class
loading and compilation are not counted.
"""

import re
import resource
import socket
import struct
import subprocess
import sys
import time


def connect(host, port, number):
    client = b"idle-%06d" % number
    body = b"\x00\x04MQTT\x04\x02\x00\x3c" + struct.pack("!H", len(client)) + client
    connection = socket.create_connection((host, port), 10)
    connection.sendall(b"\x10" + bytes([len(body)]) + body)
    return connection


def accepted(connection):
    answer = b""
    while len(answer) < 4:
        piece = connection.recv(4 - len(answer))
        if not piece:
            raise SystemExit("a connection was closed before CONNACK")
        answer += piece
    if answer != b"\x20\x02\x00\x00":
        raise SystemExit("the broker refused a connection: CONNACK " + answer.hex())


def open_all(host, port, count):
    connections = []
    for begin in range(0, count, 100):
        batch = [connect(host, port, i) for i in range(begin, min(begin + 100, count))]
        for connection in batch:
            accepted(connection)
        connections += batch
    return connections


def live_heap_bytes(jcmd, pid):
    info = subprocess.run([jcmd, str(pid), "GC.heap_info"], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"used (\d+)K", info).group(1)) * 1024


def settled_bytes(jcmd, pid):
    # Several times: the first collection fills reference queues, the next ones free the objects behind them.
    for _ in range(3):
        subprocess.run([jcmd, str(pid), "GC.run"], check=True, stdout=subprocess.DEVNULL)
        time.sleep(1)
    with open("/proc/%d/smaps_rollup" % pid) as rollup:
        for line in rollup:
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024, live_heap_bytes(jcmd, pid)
    raise SystemExit("/proc/%d/smaps_rollup has no Rss" % pid)


def main():
    host, port, pid, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    jcmd = sys.argv[5] if len(sys.argv) > 5 else "jcmd"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 100)), hard))
    for connection in open_all(host, port, 1000):
        connection.close()
    time.sleep(1)
    before = settled_bytes(jcmd, pid)
    connections = open_all(host, port, count)
    after = settled_bytes(jcmd, pid)
    for name, old, new in zip(("resident", "live heap"), before, after):
        print("%s: before %.1f MB, with %d connections %.1f MB: %.0f bytes each"
              % (name, old / 1e6, len(connections), new / 1e6, (new - old) / len(connections)))



main()
