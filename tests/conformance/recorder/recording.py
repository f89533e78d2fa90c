"""One vector through Debezium: what comes out is the vector's `expected.debezium`."""

import base64
import json
import re
import time

from .wait import TimedOut, poll_until

MARK = "walpost.conformance."
NEVER_DELIVERED = "stalled"
STRING_CONVERTER = "org.apache.kafka.connect.storage.StringConverter"

# What a record may hold that is another one at each run; see "Placeholders" in the README.
PLACEHOLDERS = {
    "<uuid>": r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "<number>": r"-?[0-9]+",
    "<any>": r".*",
    "<hash>": r"[0-9a-f]+",
}
# How Java prints an array of bytes: by where it happened to be in memory.
BYTE_ARRAY = re.compile(r"\[B@[0-9a-f]+")


class Recording:
    def __init__(self, vector, postgres, connect, folder):
        self._vector = vector
        self._postgres = postgres
        self._connect = connect
        self._name = re.sub(r"[^a-z0-9_]", "_", "v_" + vector["id"].lower())
        self._capture = folder / (self._name + ".jsonl")
        self._begun_ms = 0

    def run(self):
        self._prepare()
        try:
            expected = self._record()
        finally:
            self._clean_up()
        return expected

    def _prepare(self):
        self._capture.unlink(missing_ok=True)
        self._capture.touch()
        self._postgres.run("postgres", f"CREATE DATABASE {self._name} TEMPLATE template0")
        self._postgres.run(self._name, *self._vector["ddl"])
        if self._vector.get("slot", "before") == "before":
            self._postgres.run(
                self._name, f"SELECT pg_create_logical_replication_slot('{self._name}', 'pgoutput')")

    def _connector_config(self):
        config = self._vector["config"]
        result = {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "127.0.0.1",
            "database.port": str(self._postgres.port),
            "database.user": "postgres",
            "database.password": "postgres",
            "database.dbname": self._name,
            "plugin.name": "pgoutput",
            "slot.name": self._name,
            "publication.name": "walpost",
            "publication.autocreate.mode": "disabled",
            "snapshot.mode": "no_data",
            "poll.interval.ms": "5",
            # MBeans are named by topic.prefix, which many vectors share at one time.
            "custom.metric.tags": "vector=" + self._name,
            "key.converter": STRING_CONVERTER,
            "value.converter": STRING_CONVERTER,
            "transforms": "mark,outbox",
            "transforms.mark.type": "walpost.conformance.MarkCapture",
            "transforms.mark.file": str(self._capture),
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "producer.override.linger.ms": "0",
            "producer.override.interceptor.classes": "walpost.conformance.RecordCapture",
            "producer.override.walpost.capture.file": str(self._capture),
        }
        result.update(config.get("connector", {}))
        result.update(config.get("converters", {}))
        for name, value in config.get("router", {}).items():
            result["transforms.outbox." + name] = value
        return result

    def _record(self):
        self._begun_ms = time.time_ns() // 1_000_000 - 1000
        code, answer = self._connect.request(
            "PUT", f"/connectors/{self._name}/config", self._connector_config())
        if code >= 400:
            return {"outcome": "refused at configuration", "message": self._one_line(answer["message"])}
        trace = poll_until("the slot is active or the task failed", self._active_or_failed, every=0.1)
        if trace is not True:
            return self._failure(trace, "start")
        for number, transaction in enumerate(self._vector["statements"]):
            self._commit(transaction, number)
            try:
                trace = poll_until(f"mark {number} or a failure",
                                   lambda number=number: self._marked_or_failed(number),
                                   seconds=self._vector.get("deadline_seconds", 60))
            except TimedOut:
                if self._vector.get("stalls"):
                    return {"outcome": NEVER_DELIVERED, "records": self._records()}
                raise
            if trace is not True:
                return self._failure(trace, "record")
        return self._settled()

    def _active_or_failed(self):
        active = self._postgres.run(
            "postgres", f"SELECT active AND confirmed_flush_lsn IS NOT NULL FROM pg_replication_slots "
            f"WHERE slot_name = '{self._name}'")
        return active == "t" or self._connect.failure(self._name)

    def _commit(self, transaction, number):
        self._postgres.run(self._name, "BEGIN", *transaction,
                           "ROLLBACK" if transaction[-1:] == ["-- rolled back"] else "COMMIT")
        self._postgres.run(self._name,
                           f"SELECT pg_logical_emit_message(true, '{MARK}{number}', '')")

    def _lines(self):
        text = self._capture.read_text()
        # The last piece is empty, or a line that is still being written. Not splitlines(), which
        # splits at U+2028 as well.
        return [json.loads(line) for line in text.split("\n")[:-1]]

    def _marked_or_failed(self, number):
        if any(line.get("mark") == str(number) for line in self._lines()):
            return True
        return self._connect.failure(self._name)

    def _settled(self):
        """All marks are there. The broker may still refuse something."""
        trace = poll_until("the broker's answers", self._answered_or_failed)
        if trace is not True:
            return self._failure(trace, "record")
        return {"outcome": "records", "records": self._records()}

    def _answered_or_failed(self):
        lines = self._lines()
        if not set(self._vector.get("await", [])) <= {line.get("topic") for line in lines}:
            return self._connect.failure(self._name)
        answers = [line["answer"] for line in lines if "answer" in line]
        if len(answers) >= sum("topic" in line for line in lines) and set(answers) <= {"written"}:
            return True
        return self._connect.failure(self._name)

    def _failure(self, trace, when):
        poll_until("the broker's answers", lambda: sum("answer" in line for line in self._lines()) >=
                   sum("topic" in line for line in self._lines()))
        causes = re.findall(r"^(?:Caused by: )?((?:[a-z]\w*\.)+[A-Z][\w$]*)(?:: (.*))?$", trace, re.M)
        # Connect's own wrapping says nothing.
        told = [cause for cause in causes if "Tolerance exceeded" not in cause[1]] or causes
        return {"outcome": "task failed", "when": when,
                "exceptions": [name for name, _ in told],
                "message": self._one_line(told[0][1]), "records": self._records()}

    def _one_line(self, text):
        line = text.strip().splitlines()[0] if text.strip() else ""
        line = re.sub(PLACEHOLDERS["<uuid>"], "<uuid>", line.replace(self._name, "<database>"))
        return re.sub(r"@[0-9a-f]{5,}\b", "@<hash>", line)[:300]

    def _records(self):
        lines = self._lines()
        refused = [line["answer"] for line in lines
                   if "answer" in line and line["answer"] != "written"]
        records = [self._record_of(line) for line in lines if "topic" in line]
        # Refusals concern the last of what was sent: the task stops there.
        for record, reason in zip(records[len(records) - len(refused):], refused):
            record["refused"] = reason
        return self._without_repetitions(records)

    def _without_repetitions(self, records):
        """Of the topics in `once` the first record stays: how many there are is a matter of time."""
        seen, kept = set(), []
        for record in records:
            if record["topic"] in self._vector.get("once", []):
                if record["topic"] in seen:
                    continue
                seen.add(record["topic"])
            kept.append(record)
        return kept

    def _record_of(self, line):
        record = {
            "topic": line["topic"],
            "partition": line["partition"],
            "key": _decoded(line["key"]),
            "value": _decoded(line["value"]),
            "headers": [[name, _decoded(value)] for name, value in line["headers"]],
            "timestamp": self._timestamp(line["timestamp"]),
        }
        return self._masked(record)

    def _timestamp(self, milliseconds):
        if milliseconds is None:
            return "none"
        now = time.time_ns() // 1_000_000 + 1000
        return "processing" if self._begun_ms <= milliseconds <= now else milliseconds

    def _masked(self, record):
        masks = self._vector.get("placeholders", [])
        def masked(text):
            for template in masks:
                if isinstance(text, str) and re.fullmatch(_pattern(template), text, re.S):
                    return {"like": template}
            if isinstance(text, str) and BYTE_ARRAY.search(text):
                return {"like": BYTE_ARRAY.sub("[B@<hash>", text)}
            return text
        record["key"], record["value"] = masked(record["key"]), masked(record["value"])
        record["headers"] = [[name, masked(value)] for name, value in record["headers"]]
        return record

    def _clean_up(self):
        self._connect.request("DELETE", f"/connectors/{self._name}")
        poll_until("the slot is free", lambda: self._postgres.run(
            "postgres", "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = "
            f"'{self._name}'") == "0", every=0.1)
        self._postgres.run(
            "postgres", "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots "
            f"WHERE slot_name = '{self._name}'", f"DROP DATABASE {self._name} WITH (FORCE)")


def _decoded(text):
    """The bytes as text where they are UTF-8, else in base64; None for no value at all."""
    if text is None:
        return None
    data = base64.b64decode(text)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": text}


def _pattern(template):
    parts = re.split("(" + "|".join(map(re.escape, PLACEHOLDERS)) + ")", template)
    return "".join(PLACEHOLDERS.get(part, re.escape(part)) for part in parts)
