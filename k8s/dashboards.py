#!/usr/bin/env python3
"""Writes the Grafana dashboards of the chart.

usage: dashboards.py [--check]

With --check, writes nothing, and ends with status 1 if a file differs, or if docs/dashboards has no picture of a dashboard (k8s/draw).
"""

import json
import pathlib
import sys

DIRECTORY = pathlib.Path(__file__).parent / "helm" / "heddle" / "files" / "dashboards"
PICTURES = pathlib.Path(__file__).parent.parent / "docs" / "dashboards"
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
EVENTS, BYTES, SECONDS, SHARE = "cps", "bytes", "s", "percentunit"


def of(metric, extra=""):
    """The series of the chosen cluster and brokers."""
    return metric + '{job="$job",namespace=~"$namespace",instance=~"$instance"' + ("," + extra if extra else "") + "}"


def by(labels):
    return f" by ({labels})" if labels else ""


def total(metric, labels="", extra=""):
    return f"sum{by(labels)} ({of(metric, extra)})"


def highest(metric, labels=""):
    return f"max{by(labels)} ({of(metric)})"


def rate(metric, labels="", extra=""):
    return f"sum{by(labels)} (rate({of(metric, extra)}[$__rate_interval]))"


def occurring(metric, labels):
    """Only what occurs, because most reasons never do, and their names would fill the legend."""
    return rate(metric, labels) + " > 0"


def mean(timer, labels):
    return f"{rate(timer + '_seconds_sum', labels)} / {rate(timer + '_seconds_count', labels)}"


def panel(title, unit, *queries, width=8, height=8, stacked=False, description=""):
    """Curves: each query is an expression and the legend of its series."""
    return {
        "type": "timeseries",
        "title": title,
        "description": description,
        "size": (width, height),
        "queries": queries,
        "fieldConfig": {
            "defaults": {
                "unit": unit,
                "min": 0,
                "custom": {"lineWidth": 1, "fillOpacity": 20 if stacked else 5, "stacking": {"mode": "normal" if stacked else "none"}},
            },
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}},
    }


def number(title, query, good=None, bad=None, unit="short", legend="", width=4):
    """One number: red below "good", or from "bad" on."""
    steps = [{"color": "red" if good is not None else "green", "value": None}]
    if good is not None:
        steps.append({"color": "green", "value": good})
    if bad is not None:
        steps.append({"color": "red", "value": bad})
    return {
        "type": "stat",
        "title": title,
        "description": "",
        "size": (width, 5),
        "queries": [(query, legend)],
        "fieldConfig": {"defaults": {"unit": unit, "thresholds": {"mode": "absolute", "steps": steps}}, "overrides": []},
        "options": {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value", "graphMode": "area"},
    }


HEAP = 'area="heap"'
OVERVIEW = [
    ("Now", [
        number("Brokers that serve", 'sum (heddle_cluster_serving{job="$job",namespace=~"$namespace"})', good=1),
        number("Members", 'max (heddle_cluster_nodes{job="$job",namespace=~"$namespace"})'),
        number("Connected clients", total("heddle_sessions_connected")),
        number("Persistent sessions", total("heddle_sessions_persistent")),
        number("Stopped buckets", total("heddle_buckets_stopped"), bad=1),
        number("Unusable stores", f"sum (1 - {of('heddle_store_usable')})", bad=1),
    ]),
    ("Messages", [
        panel("Messages per second", EVENTS, (rate("heddle_messages_received_total"), "received"),
              (rate("heddle_messages_delivered_total"), "delivered")),
        panel("Dropped per second", EVENTS, (occurring("heddle_messages_dropped_total", "reason"), "{{reason}}")),
        panel("Lag of the slowest bucket", SECONDS, (highest("heddle_buckets_lag_seconds", "instance"), "{{instance}}")),
    ]),
    ("Brokers", [
        panel("Connections", "short", (of("heddle_connections"), "{{instance}}"), stacked=True),
        panel("Processor time, share of the machine", SHARE, (of("process_cpu_usage"), "{{instance}}")),
        panel("Heap", SHARE, (total("jvm_memory_used_bytes", "instance", HEAP) + " / sum by (instance) ("
                              + of("jvm_memory_max_bytes", HEAP) + " > 0)", "{{instance}}")),
    ]),
    ("Alerts", [
        panel("Alerts that fire", "short", ('sum by (alertname, severity) (ALERTS{alertname=~"Heddle.+",alertstate="firing",namespace=~"$namespace|"})',
                                            "{{severity}}: {{alertname}}"), width=24, stacked=True),
    ]),
]

TRAFFIC = [
    ("Connections", [
        panel("Open connections by listener", "short", (total("heddle_listener_connections", "listener, kind"), "{{listener}} ({{kind}})")),
        panel("Opened and closed per second", EVENTS, (rate("heddle_connections_opened_total"), "opened"),
              (rate("heddle_connections_closed_total"), "closed"), (rate("heddle_connections_reset_total"), "reset"),
              (rate("heddle_sessions_keep_alive_timeouts_total"), "keep alive timeout")),
        panel("Refused per second", EVENTS, (occurring("heddle_listener_refused_total", "listener, reason"), "{{listener}}: {{reason}}"),
              (rate("heddle_connect_timeouts_total"), "no CONNECT in time")),
        panel("CONNECTs per second by answer", EVENTS, (rate("heddle_connects_total", "outcome"), "{{outcome}}")),
        panel("Authentications per second", EVENTS, (rate("heddle_authentication_total", "outcome"), "{{outcome}}")),
        panel("Authentications that wait", "short", (total("heddle_authentication_pending"), "pending"),
              (total("heddle_password_waiting"), "for a password check"), (total("heddle_authentication_delayed"), "delayed refusals")),
        panel("Sessions per second", EVENTS, (rate("heddle_sessions_taken_over_total"), "taken over"),
              (rate("heddle_sessions_expired_total"), "expired"), (rate("heddle_sessions_refused_total", "reason"), "refused: {{reason}}")),
        panel("Refusals by limits per second", EVENTS, (rate("heddle_limits_refusals_total", "setting"), "{{setting}}"),
              description="The settings whose limits clients exceed."),
        panel("TLS handshakes per second", EVENTS, (rate("heddle_tls_handshakes_total", "protocol"), "{{protocol}}"),
              (occurring("heddle_tls_handshake_failures_total", "reason"), "failed: {{reason}}")),
    ]),
    ("Packets", [
        panel("Packets received per second", EVENTS, (occurring("heddle_packets_received_total", "type"), "{{type}}")),
        panel("Packets sent per second", EVENTS, (occurring("heddle_packets_sent_total", "type"), "{{type}}")),
        panel("Bytes per second", "Bps", (rate("heddle_bytes_received_total"), "received"), (rate("heddle_bytes_sent_total"), "sent"),
              (rate("heddle_publish_bytes_received_total"), "payloads received"), (rate("heddle_publish_bytes_sent_total"), "payloads sent")),
        panel("Packets per write", "short", (rate("heddle_packets_sent_total", "instance") + " / " + rate("heddle_writes_total", "instance"),
                                             "{{instance}}"), description="How well packets are batched."),
        panel("Protocol errors per second", EVENTS, (occurring("heddle_protocol_errors_total", "reason"), "{{reason}}")),
        panel("Unsent and unfinished bytes", BYTES, (total("heddle_connections_unsent_bytes"), "unsent output"),
              (total("heddle_packets_unfinished_bytes"), "unfinished packets")),
    ]),
    ("Subscriptions and retained messages", [
        panel("Subscriptions", "short", (total("heddle_subscriptions", "instance"), "{{instance}}")),
        panel("Subscription changes in memory", BYTES, (total("heddle_subscriptions_pending_bytes"), "pending"),
              (total("heddle_subscriptions_waiting_bytes"), "waiting")),
        panel("Retained messages", "short", (highest("heddle_retained_messages", "instance"), "{{instance}}")),
    ]),
]

DELIVERY = [
    ("Messages", [
        panel("Received and delivered per second", EVENTS, (rate("heddle_messages_received_total", "instance"), "received by {{instance}}"),
              (rate("heddle_messages_delivered_total", "instance"), "delivered by {{instance}}")),
        panel("Dropped per second", EVENTS, (occurring("heddle_messages_dropped_total", "reason"), "{{reason}}"),
              (rate("heddle_messages_unmatched_total"), "no subscription")),
        panel("In flight and waiting in memory", "short", (total("heddle_messages_in_flight"), "in flight"),
              (total("heddle_messages_queued"), "waiting")),
        panel("Publishers that wait", "short", (total("heddle_buckets_lag_publishers"), "for a lagging bucket"),
              (total("heddle_cluster_lease_publishers"), "for the routing lease"),
              (total("heddle_forwards_receipts_missing"), "receipts of other brokers")),
        panel("Throttled per second", EVENTS, (rate("heddle_publishers_paused_total"), "publishers paused"),
              (rate("heddle_publishes_delayed_total"), "acknowledgements delayed")),
        panel("Memory of sessions", BYTES, (of("heddle_sessions_memory_bytes"), "{{instance}}")),
    ]),
    ("Buckets, and queues of DEVICE clients", [
        panel("Buckets held", "short", (of("heddle_buckets_held"), "{{instance}}"), stacked=True),
        panel("Lag of the slowest bucket", SECONDS, (highest("heddle_buckets_lag_seconds", "instance"), "{{instance}}")),
        panel("Lag of all buckets", BYTES, (total("heddle_buckets_lag_bytes", "instance"), "{{instance}}")),
        panel("Queued per second", EVENTS, (rate("heddle_queues_messages_total", "instance"), "{{instance}}")),
        panel("Size of the bucket logs, share of the limit", SHARE,
              (highest("heddle_buckets_bytes") + " / " + highest("heddle_buckets_maximum_bytes"), "size")),
        panel("Replay window", SECONDS, (f"min ({of('heddle_buckets_replay_window_seconds')})", "replay window")),
        panel("Faults per second", EVENTS, (rate("heddle_buckets_apply_failures_total"), "apply failures"),
              (rate("heddle_buckets_rollbacks_total"), "rollbacks of Redis"), (rate("heddle_buckets_dead_letters_total"), "dead letters"),
              (rate("heddle_queues_acknowledge_failures_total"), "acknowledge failures")),
        panel("Pushes between brokers per second", EVENTS, (rate("heddle_pushes_sent_total"), "sent"),
              (occurring("heddle_pushes_dropped_total", "reason"), "dropped: {{reason}}")),
        panel("Read ahead of clients", BYTES, (total("heddle_queues_read_ahead_bytes", "instance"), "{{instance}}")),
    ]),
    ("Logs of APPLICATION clients", [
        panel("Appended and read per second", EVENTS, (rate("heddle_applications_appended_total"), "appended"),
              (rate("heddle_applications_read_total"), "read")),
        panel("Lag of connected clients, messages", "short", (of("heddle_applications_lag"), "{{instance}}")),
        panel("Topics per second", EVENTS, (rate("heddle_applications_topics_total", "outcome"), "{{outcome}}")),
    ]),
]

CLUSTER = [
    ("Members", [
        panel("Serving", "short", (of("heddle_cluster_serving"), "{{instance}}"), stacked=True),
        panel("Members that a broker knows", "short", (of("heddle_cluster_nodes"), "{{instance}}")),
        panel("Heartbeat, mean", SECONDS, (mean("heddle_cluster_heartbeat", "instance"), "{{instance}}")),
        panel("Declared dead", "short",
              (f"sum (increase({of('heddle_cluster_declared_dead_total')}[$__rate_interval]))", "declared dead")),
        panel("Hand-over of buckets, mean", SECONDS, (mean("heddle_cluster_handover", "step"), "{{step}}")),
        panel("Buckets held", "short", (of("heddle_buckets_held"), "{{instance}}"), stacked=True),
    ]),
    ("Agreement", [
        panel("Records to read", "short", (highest("heddle_followed_lag", "instance, topic"), "{{instance}}: {{topic}}")),
        panel("Requests to holders per second", EVENTS, (rate("heddle_registrar_requests_total", "kind, outcome"), "{{kind}}: {{outcome}}")),
        panel("Requests and changes that wait", "short", (total("heddle_registrar_waiting"), "requests to holders"),
              (total("heddle_settlement_waiting"), "changes of subscriptions"), (total("heddle_interest_waiting"), "SUBACKs")),
        panel("Settlement, mean", SECONDS, (mean("heddle_settlement", "instance"), "{{instance}}")),
        panel("Clients disconnected per second", EVENTS,
              (rate("heddle_drain_closed_total"), "drain"), (rate("heddle_rebalance_closed_total"), "rebalance")),
    ]),
    ("Links", [
        panel("Links down", "short", (of("heddle_links_down"), "{{instance}}")),
        panel("Frames per second", EVENTS, (rate("heddle_links_frames_sent_total"), "sent"),
              (rate("heddle_links_frames_received_total"), "received"), (rate("heddle_links_frames_repeated_total"), "repeated"),
              (rate("heddle_links_frames_refused_total"), "refused")),
        panel("Unacknowledged", BYTES, (of("heddle_links_unacknowledged_bytes"), "{{instance}}")),
        panel("Messages to other brokers per second", EVENTS, (rate("heddle_forwards_sent_total", "instance"), "{{instance}}")),
        panel("Faults per second", EVENTS, (rate("heddle_links_lost_total"), "lost connections"),
              (occurring("heddle_links_refused_total", "reason"), "refused: {{reason}}"), (occurring("heddle_links_faults_total", "reason"), "fault: {{reason}}")),
        panel("Messages that wait for a full link", BYTES, (of("heddle_forwards_waiting_bytes"), "{{instance}}")),
    ]),
]

DEPENDENCIES = [
    ("Health", [
        panel("Usable", "short", (f"min by (store) ({of('heddle_store_usable')})", "{{store}}"), width=12),
        panel("Health checks, mean", SECONDS, (mean("heddle_store_check", "store, outcome"), "{{store}}: {{outcome}}"), width=12),
    ]),
    ("Kafka", [
        panel("Appends per second", EVENTS, (rate("heddle_kafka_append_seconds_count", "log"), "{{log}}")),
        panel("Append, mean", SECONDS, (mean("heddle_kafka_append", "log"), "{{log}}")),
        panel("Failures per second", EVENTS, (rate("heddle_kafka_append_failures_total", "log, reason"), "{{log}}: {{reason}}"),
              (occurring("heddle_poll_failures_total", "loop"), "poll: {{loop}}")),
        panel("Unacknowledged", BYTES, (total("heddle_kafka_pending_bytes", "kind"), "{{kind}}")),
        panel("Transactions per second", EVENTS, (rate("heddle_kafka_transactions_seconds_count", "lane, outcome"), "{{lane}}: {{outcome}}")),
        panel("Transaction, mean", SECONDS, (mean("heddle_kafka_transactions", "lane"), "{{lane}}")),
        panel("Commits per transaction", "short", (rate("heddle_kafka_transaction_commits_sum", "lane") + " / "
                                                   + rate("heddle_kafka_transaction_commits_count", "lane"), "{{lane}}")),
        panel("Records that wait for memory or metadata", "short", (of("heddle_kafka_append_waiting"), "{{instance}}")),
    ]),
    ("Redis", [
        panel("Script calls per second", EVENTS, (rate("heddle_redis_script_seconds_count", "script"), "{{script}}")),
        panel("Script call, mean", SECONDS, (mean("heddle_redis_script", "script"), "{{script}}")),
        panel("Failures per second", EVENTS, (rate("heddle_redis_failures_total", "reason"), "{{reason}}")),
    ]),
    ("PostgreSQL", [
        panel("Connections", "short", (total("hikaricp_connections_active"), "active"), (total("hikaricp_connections_idle"), "idle"),
              (total("hikaricp_connections_pending"), "pending")),
    ]),
]

JVM = [
    ("Process", [
        panel("Busy processors", "short", (f"rate({of('process_cpu_time_ns_total')}[$__rate_interval]) / 1e9", "{{instance}}"),
              (f"max ({of('system_cpu_count')})", "available")),
        panel("Processor time per delivery", "µs", (rate("process_cpu_time_ns_total") + " / 1e3 / " + rate("heddle_messages_delivered_total"),
                                                    "all brokers")),
        panel("Open files, share of the limit", SHARE, (f"{of('process_files_open_files')} / {of('process_files_max_files')}", "{{instance}}")),
    ]),
    ("Memory", [
        panel("Heap", BYTES, (total("jvm_memory_used_bytes", "instance", HEAP), "{{instance}}")),
        panel("Outside the heap", BYTES, (total("jvm_memory_used_bytes", "instance", 'area="nonheap"'), "{{instance}}")),
        panel("Direct buffers", BYTES, (total("jvm_buffer_memory_used_bytes", "instance", 'id="direct"'), "{{instance}}")),
        panel("Collections, share of time", SHARE, (rate("jvm_gc_pause_seconds_sum", "instance, action"), "{{instance}}: {{action}}")),
        panel("Longest pause", SECONDS, (highest("jvm_gc_pause_seconds_max", "instance"), "{{instance}}")),
        panel("Allocated per second", "Bps", (rate("jvm_gc_memory_allocated_bytes_total", "instance"), "{{instance}}")),
    ]),
    ("Threads and HTTP", [
        panel("Threads", "short", (of("jvm_threads_live_threads"), "{{instance}}")),
        panel("HTTP requests per second", EVENTS, (rate("http_server_requests_seconds_count", "status"), "{{status}}")),
        number("Up since", f"{of('process_start_time_seconds')} * 1000", unit="dateTimeFromNow", legend="{{instance}}", width=8),
    ]),
]

DASHBOARDS = {
    "overview": ("Heddle: overview", "Is the cluster well, and how busy is it?", OVERVIEW),
    "traffic": ("Heddle: traffic", "Connections, CONNECTs, packets and bytes.", TRAFFIC),
    "delivery": ("Heddle: delivery and queues", "From PUBLISH to the subscribers: routing, buckets, queues, logs.", DELIVERY),
    "cluster": ("Heddle: cluster", "Members, links, and the agreement between brokers.", CLUSTER),
    "dependencies": ("Heddle: dependencies", "Kafka, Redis and PostgreSQL, as the brokers see them.", DEPENDENCIES),
    "jvm": ("Heddle: JVM", "Processor time, memory, collections and files of each broker.", JVM),
}


def variable(name, label, query, **more):
    return {"name": name, "type": "query", "label": label, "datasource": DATASOURCE, "query": {"query": query, "refId": name}, "refresh": 2, **more}


def laid_out(rows):
    """The panels with their places: rows of 24 columns."""
    panels, y = [], 0
    for title, members in rows:
        panels.append({"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}})
        y, x, row_height = y + 1, 0, 0
        for member in members:
            width, height = member["size"]
            if x + width > 24:
                x, y, row_height = 0, y + row_height, 0
            queries = [{"refId": chr(65 + i), "datasource": DATASOURCE, "expr": expression, "legendFormat": legend}
                       for i, (expression, legend) in enumerate(member["queries"])]
            panels.append({**{k: v for k, v in member.items() if k not in ("size", "queries")}, "datasource": DATASOURCE, "targets": queries,
                           "gridPos": {"h": height, "w": width, "x": x, "y": y}})
            x, row_height = x + width, max(row_height, height)
        y += row_height
    return [{"id": i + 1, **each} for i, each in enumerate(panels)]


def dashboard(name, title, description, rows):
    everything = {"includeAll": True, "allValue": ".*", "current": {"text": "All", "value": "$__all"}}
    # Outside Kubernetes there is none: "All" also fits series without this label.
    namespace = variable("namespace", "Namespace", 'label_values(heddle_cluster_serving{job="$job"}, namespace)', **everything)
    brokers = variable("instance", "Broker", 'label_values(heddle_cluster_serving{job="$job",namespace=~"$namespace"}, instance)', multi=True,
                       **everything)
    return {
        "uid": "heddle-" + name,
        "title": title,
        "description": description,
        "tags": ["heddle"],
        "timezone": "browser",
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "links": [{"type": "dashboards", "title": "Heddle", "tags": ["heddle"], "asDropdown": True, "includeVars": True, "keepTime": True}],
        "templating": {"list": [
            {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Data source"},
            variable("job", "Job", "label_values(heddle_cluster_serving, job)"),
            namespace,
            brokers,
        ]},
        "panels": laid_out(rows),
    }


def main(check):
    differs = False
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    for name, (title, description, rows) in DASHBOARDS.items():
        text = json.dumps(dashboard(name, title, description, rows), indent=1) + "\n"
        file = DIRECTORY / (name + ".json")
        if not check:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            print(f"{file} differs from k8s/dashboards.py: run k8s/dashboards.py", file=sys.stderr)
            differs = True
        if check and not (PICTURES / (name + ".svg")).exists():
            print(f"{PICTURES / name}.svg is missing: run k8s/draw", file=sys.stderr)
            differs = True
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
