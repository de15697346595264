#!/usr/bin/env python3
"""Writes strict JSON schemas of Kubernetes' objects, for kubeconform, from the OpenAPI file of the Go module k8s.io/kubernetes.

usage: schemas.py SWAGGER_JSON DIRECTORY
"""

import json
import os
import sys

PREFIX = "#/definitions/"
INT_OR_STRING = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
SPECIAL = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING,
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
}


def strict(schema):
    """Forbids properties that the schema does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: strict(value) for key, value in schema.items() if not key.startswith("x-") and key != "description"}
    if isinstance(result.get("properties"), dict) and "additionalProperties" not in result:
        result["additionalProperties"] = False
    return result


def names_in(schema):
    if isinstance(schema, list):
        for each in schema:
            yield from names_in(each)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield value[len(PREFIX):]
            else:
                yield from names_in(value)


def main(swagger, directory):
    with open(swagger, encoding="utf-8") as file:
        source = json.load(file)["definitions"]
    definitions = {name: SPECIAL.get(name) or strict(schema) for name, schema in source.items()}
    os.makedirs(directory, exist_ok=True)
    for name, schema in source.items():
        for kind in schema.get("x-kubernetes-group-version-kind", []):
            if len(schema["x-kubernetes-group-version-kind"]) > 1 or "properties" not in schema:
                continue
            needed, open_names = set(), [name]
            while open_names:
                each = open_names.pop()
                if each not in needed:
                    needed.add(each)
                    open_names.extend(names_in(definitions[each]))
            group = kind["group"].split(".")[0]
            parts = [kind["kind"].lower(), *([group] if group else []), kind["version"]]
            root = json.loads(json.dumps(definitions[name]))
            full = (kind["group"] + "/" if kind["group"] else "") + kind["version"]
            root["properties"]["apiVersion"] = {"const": full}
            root["properties"]["kind"] = {"const": kind["kind"]}
            root["required"] = sorted({*root.get("required", []), "apiVersion", "kind"})
            root["definitions"] = {each: definitions[each] for each in sorted(needed)}
            with open(os.path.join(directory, "-".join(parts) + ".json"), "w", encoding="utf-8") as file:
                json.dump(root, file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
