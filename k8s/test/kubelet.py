#!/usr/bin/env python3
"""Stands in for the scheduler and the kubelets in k8s/check-server: assigns each pod to a node that does not exist, reports it as running and ready,
or as finished if it is the pod of a Job, and lets a deleted pod end a moment later.

usage: kubelet.py SERVER TOKEN CA_FILE

Runs no container.
"""

import json
import ssl
import sys
import time
import urllib.error
import urllib.request

POLL_SECONDS = 0.4


class Server:
    def __init__(self, url, token, authority):
        self.url, self.token = url, token
        self.context = ssl.create_default_context(cafile=authority)

    def call(self, method, path, body=None, expected=()):
        """The answer, or None if it is one of the expected errors."""
        request = urllib.request.Request(self.url + path, method=method, data=None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", "Bearer " + self.token)
        request.add_header("Content-Type", "application/merge-patch+json" if method == "PATCH" else "application/json")
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in expected:
                return None
            raise


def start(server, pod, path):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    of_job = any(owner["kind"] == "Job" for owner in pod["metadata"].get("ownerReferences", []))
    ready = {"type": "Ready", "status": "False" if of_job else "True", "lastTransitionTime": now}
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod["metadata"]["name"]}, "target": {"kind": "Node", "name": "check"}}
    # Deleted (404) or changed (409) meanwhile.
    server.call("POST", path + "/binding", binding, expected=(404, 409))
    status = {"phase": "Succeeded" if of_job else "Running", "conditions": [ready]}
    server.call("PATCH", path + "/status", {"status": status}, expected=(404, 409))


def main(*arguments):
    server = Server(*arguments)
    ending = set()
    while True:
        seen = set()
        for pod in server.call("GET", "/api/v1/pods")["items"]:
            metadata = pod["metadata"]
            path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
            if "deletionTimestamp" in metadata:
                seen.add(metadata["uid"])
                if metadata["uid"] in ending:
                    server.call("DELETE", path, {"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}}, expected=(404, 409))
            elif pod["status"].get("phase") == "Pending":
                start(server, pod, path)
        ending = seen
        time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
