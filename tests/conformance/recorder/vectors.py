"""The vectors' files: one each, in tests/conformance/vectors."""

import json

from .servers import ROOT

FOLDER = ROOT / "tests" / "conformance" / "vectors"
_WIDTH = 100


def path_of(name):
    return FOLDER / (name + ".json")


def load_all():
    vectors = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
    return {vector["id"]: vector for vector in vectors}


def store(vector):
    FOLDER.mkdir(exist_ok=True)
    path_of(vector["id"]).write_text(written(vector) + "\n")


def written(value, indent=0, lead=0):
    """JSON in which what fits into a line is in one line."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + lead + len(line) <= _WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    pad = "\n" + " " * (indent + 2)
    if isinstance(value, list):
        parts = [written(item, indent + 2) for item in value]
        return "[" + pad + ("," + pad).join(parts) + "\n" + " " * indent + "]"
    parts = []
    for name, item in value.items():
        head = json.dumps(name, ensure_ascii=False) + ": "
        parts.append(head + written(item, indent + 2, len(head)))
    return "{" + pad + ("," + pad).join(parts) + "\n" + " " * indent + "}"


def compared(vector, expected):
    """What of a recording must be the same each time: not the wording of messages, and of an
    unstable vector not the records."""
    left_out = {"message", "records"} if "unstable" in vector else {"message"}
    return {name: value for name, value in (expected or {}).items() if name not in left_out}
