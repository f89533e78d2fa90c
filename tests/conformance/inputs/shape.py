"""How the inputs of a vector are written down shortly: a base table, a base row, what differs."""

E = "5d2f0b9e-0000-4000-8000-00000000000"
VERSION = "3.6.1.Final"
WITH_EMPTY_ARRAYS = "3.7.0.Final"

STRING = "org.apache.kafka.connect.storage.StringConverter"
JSON = "org.apache.kafka.connect.json.JsonConverter"
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
BINARY = "io.debezium.converters.BinaryDataConverter"
SIMPLE = "org.apache.kafka.connect.storage.SimpleHeaderConverter"

# Short names of router options, as in the table of cases.
OPTIONS = {
    "OP": "table.op.invalid.behavior", "ID": "table.field.event.id", "KEY": "table.field.event.key",
    "TS": "table.field.event.timestamp", "PAY": "table.field.event.payload",
    "P": "table.fields.additional.placement", "MISS": "table.field.additional.missing",
    "VER": "table.field.event.schema.version", "BY": "route.by.field", "RE": "route.topic.regex",
    "RP": "route.topic.replacement", "TOMB": "route.tombstone.on.empty.payload",
    "EXP": "table.expand.json.payload", "NUL": "table.json.payload.null.behavior",
    "EMP": "table.json.payload.empty.array.behavior",
}

BASE_COLUMNS = {"id": "uuid PRIMARY KEY", "aggregatetype": "varchar(255) NOT NULL",
                "aggregateid": "varchar(255) NOT NULL", "type": "varchar(255) NOT NULL",
                "payload": "jsonb"}
BASE_ROW = {"aggregatetype": "'invoice'", "aggregateid": "'inv-7'", "type": "'InvoiceIssued'",
            "payload": "'{}'"}
PUBLICATION = "CREATE PUBLICATION walpost FOR TABLE outbox"


def quoted(text):
    """A string constant whatever is in the text."""
    if "\\" in text or "\n" in text:
        return "E'" + (text.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n")) + "'"
    return "'" + text.replace("'", "''") + "'"


def table(add=(), change=(), name="outbox"):
    """The base table with columns added, changed, or (None) left out."""
    columns = {**BASE_COLUMNS, **dict(change), **dict(add)}
    listed = ", ".join(f"{column} {sql}" for column, sql in columns.items() if sql is not None)
    return f"CREATE TABLE {name} ({listed})"


def insert(number=1, row=(), name="outbox"):
    """The base row as the number-th, with values (SQL expressions) changed or (None) left out."""
    values = {"id": f"'{E}{number}'" if number < 10 else f"'{E[:-1]}{number:02}'", **BASE_ROW,
              **dict(row)}
    values = {column: value for column, value in values.items() if value is not None}
    return f"INSERT INTO {name} ({', '.join(values)}) VALUES ({', '.join(values.values())})"


def converter(role, kind):
    """`kind`: S, J- (schemas off), J+ (on), bytes, binary, binary/S, binary/J-, simple."""
    prefix = role + ".converter"
    if kind.startswith("binary"):
        result = {prefix: BINARY}
        delegate = kind[len("binary/"):]
        if delegate:
            inner = converter("delegate", delegate)
            result[prefix + ".delegate.converter.type"] = inner.pop("delegate.converter")
            for name, value in inner.items():
                result[prefix + ".delegate.converter.type" + name[len("delegate.converter"):]] = value
        return result
    classes = {"S": STRING, "J-": JSON, "J+": JSON, "bytes": BYTES, "simple": SIMPLE}
    result = {prefix: classes[kind]}
    if kind in ("J-", "J+"):
        result[prefix + ".schemas.enable"] = "true" if kind == "J+" else "false"
    return result


def spelt(kind):
    """A kind of converter as part of an id."""
    names = {"J-": "json", "J+": "json-schema", "S": "string"}
    return "-over-".join(names.get(part, part) for part in kind.split("/"))


def vector(identifier, title, *, rows=({},), add=(), change=(), ddl=None, setup=(), statements=None,
           key="S", value="S", header=None, connector=(), version=VERSION, case=None, more=(),
           **options):
    """One vector's inputs. `options` are the router's, by their short names."""
    converters = {**converter("key", key), **converter("value", value)}
    if header:
        converters.update(converter("header", header))
    if ddl is None:
        ddl = [*setup, table(add, change), PUBLICATION]
    if statements is None:
        statements = [[insert(number + 1, row) for number, row in enumerate(rows)]]
    result = {"id": identifier}
    if case:
        result["case"] = case
    result.update({
        "title": title, "debezium": version, "ddl": list(ddl),
        "statements": [list(transaction) for transaction in statements],
        "config": {
            "router": {OPTIONS.get(name, name): text for name, text in options.items()},
            "connector": {"topic.prefix": "srv", "extended.headers.enabled": "false",
                          **dict(connector)},
            "converters": converters,
        },
    })
    result.update(dict(more))
    return result
