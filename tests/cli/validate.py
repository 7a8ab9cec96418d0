"""Holds JSON reports against docs/hwcheck.schema.json, and what no schema can
say: validate.py SCHEMA FILE..."""
import json
import sys

import jsonschema


def ids(execution):
    return [e["id"] for e in execution["events"]] + ["init"]


def check_execution(x):
    known = ids(x)
    assert len(known) == len(set(known)), "two events of one name"
    for e in x["events"]:
        for key in ("addr", "data", "ctrl"):
            assert set(e.get(key, [])) <= set(known), e
        assert e.get("rf", "init") in known, e
    for writes in x["co"].values():
        assert writes[0] == "init" and set(writes) <= set(known), writes


def check_report(report):
    counts = {}
    for entry in report["entries"]:
        counts[entry["verdict"]] = counts.get(entry["verdict"], 0) + 1
    summary = report["summary"]
    assert summary["entries"] == len(report["entries"]), summary
    assert {k: n for k, n in summary["verdicts"].items() if n} == counts, summary


def visit(node):
    if isinstance(node, dict):
        if "sequentially_consistent" in node:
            check_execution(node)
        node = list(node.values())
    for child in node if isinstance(node, list) else []:
        visit(child)


def refuse_twins(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"a name occurs twice: {names}"
    return dict(pairs)


with open(sys.argv[1], encoding="utf-8") as f:
    schema = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
bad = 0
for path in sys.argv[2:]:
    try:
        with open(path, "rb") as f:
            text = f.read().decode("utf-8")  # strictly
        report = json.loads(text, object_pairs_hook=refuse_twins)
        for error in validator.iter_errors(report):
            leaf = jsonschema.exceptions.best_match([error])
            where = "/".join(map(str, leaf.absolute_path))
            raise AssertionError(f"{where}: {leaf.message[:300]}")
        check_report(report)
        visit(report)
    except (AssertionError, ValueError) as why:
        print(f"{path}: {why}")
        bad += 1
sys.exit(bad != 0)
