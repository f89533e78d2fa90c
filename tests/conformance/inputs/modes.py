"""The connector's handling modes, converters, and defaults that stand in for NULL."""

from .shape import insert, quoted, spelt, vector
from .types import STAMPS, strings

ROLES = {"KEY": "c", "PAY": "c", "P": "c:header:h"}
KINDS = (("string", "S", None), ("json-schema", "J+", "J+"))


def roles(name, title, sql, values, mode, setup=()):
    """One column as key, payload and header under a handling mode."""
    rows = [{"c": value} for value in (*values, "NULL")]
    for suffix, kind, header in KINDS:
        yield vector(f"mode-{name}-{suffix}", title, key=kind, value=kind, header=header,
                     add={"c": sql}, rows=rows, connector=mode, setup=setup, **ROLES)


def handling():
    numbers = ("12.50", "0", "-0.01", "100", "'NaN'")
    for mode in ("string", "double"):
        option = {"decimal.handling.mode": mode}
        yield from roles(f"decimal-{mode}-scale", f"numeric(9,2) as {mode}", "numeric(9,2)", numbers,
                         option)
        yield from roles(f"decimal-{mode}", f"numeric as {mode}", "numeric",
                         (*numbers, "1e20", "-1e-10", "123456789012345678901234567890.5",
                          "'Infinity'"), option)
        yield from roles(f"decimal-{mode}-money", f"money as {mode}", "money", ("'12.50'",), option)
        yield from roles(f"decimal-{mode}-array", f"numeric(9,2)[] as {mode}", "numeric(9,2)[]",
                         strings("{12.5,NULL}"), option)
    for mode in ("microseconds", "nanoseconds", "connect", "adaptive_time_microseconds", "isostring"):
        option = {"time.precision.mode": mode}
        for name, sql, values in (
                ("timestamp", "timestamp", STAMPS[:4]), ("timestamp3", "timestamp(3)", STAMPS[:4]),
                ("date", "date", strings("2019-03-24", "1970-01-01", "1900-02-28")),
                ("time", "time", strings("10:34:56.789012", "00:00:00"))):
            yield from roles(f"time-{mode}-{name}", f"{sql} in mode {mode}", sql, values, option)
        for precision in ("", "(3)"):
            yield vector(f"mode-time-{mode}-record{precision.strip('()')}",
                         f"timestamp{precision} as record time in mode {mode}", TS="at",
                         add={"at": "timestamp" + precision}, connector=option,
                         rows=[{"at": STAMPS[0]}, {"at": STAMPS[3]}, {"at": "NULL"}])
    yield vector("mode-time-nanoseconds-far", "beyond the years of 64 bits of nanoseconds", TS="at",
                 add={"at": "timestamp"}, connector={"time.precision.mode": "nanoseconds"},
                 rows=[{"at": "'2262-04-11 23:47:16.85'"}, {"at": "'2300-01-01'"}])
    for mode in ("map", "json"):
        yield from roles(f"hstore-{mode}", f"hstore as {mode}", "hstore",
                         strings("b=>2, a=>NULL", "", '"x y"=>"q\\"r"'),
                         {"hstore.handling.mode": mode}, setup=["CREATE EXTENSION hstore"])
    yield from roles("interval-string", "interval as string", "interval",
                     strings("1 year 2 mons 3 days 04:05:06.789", "0", "-1 day", "-00:00:00.000001"),
                     {"interval.handling.mode": "string"})
    for mode in ("base64", "base64-url-safe", "hex"):
        yield from roles(f"binary-{mode}", f"bytea as {mode}", "bytea",
                         ("'\\xfbefff'", "'\\x'", "'\\x68'"), {"binary.handling.mode": mode})
        yield vector(f"mode-binary-{mode}-route", f"bytea as {mode}: routing text", BY="c",
                     add={"c": "bytea"}, rows=[{"c": "'\\x6869'"}],
                     connector={"binary.handling.mode": mode})
    yield from roles("unknown-types", "unknown types are included", "pair", ("ROW(1, 'a')",),
                     {"include.unknown.datatypes": "true"},
                     setup=["CREATE TYPE pair AS (a integer, b text)"])
    yield from roles("money-digits", "money with three digits", "money", ("'12.50'",),
                     {"money.fraction.digits": "3"})


def converters():
    jsonb = {"rows": [{"payload": quoted('{"a": 1}')}, {"payload": "NULL"}]}
    bytea = {"change": {"payload": "bytea"},
             "rows": [{"payload": "'\\x00ff6869'"}, {"payload": "'\\x'"}, {"payload": "NULL"}]}
    number = {"change": {"payload": "integer"}, "rows": [{"payload": "5"}, {"payload": "NULL"}]}
    envelope = {"P": "type:envelope", "rows": [{}]}
    kinds = ("S", "J-", "J+", "bytes", "binary", "binary/S", "binary/J-", "binary/J+")
    payloads = (("jsonb", jsonb), ("bytea", bytea), ("int4", number), ("envelope", envelope),
                ("expanded", {**jsonb, "EXP": "true"}))
    for name, inputs in payloads:
        for kind in kinds:
            yield vector(f"converter-{name}-{spelt(kind)}", f"{name} through {kind}",
                         value=kind, **inputs)
    for kind in ("bytes", "binary", "binary/S"):
        yield vector(f"converter-key-bytea-{spelt(kind)}", f"bytea key through {kind}",
                     key=kind, change={"aggregateid": "bytea"},
                     rows=[{"aggregateid": "'\\x00ff'"}, {"aggregateid": "NULL"}])
    columns = {"t": "text", "i": "integer", "b": "boolean", "f": "float8", "d": "numeric(9,2)",
               "y": "bytea", "j": "jsonb", "at": "timestamp", "z": "timestamptz", "day": "date",
               "a": "text[]", "n": "numeric"}
    values = {"t": "'x\"y'", "i": "7", "b": "true", "f": "1e10", "d": "12.50", "y": "'\\x010203'",
              "j": "'{\"a\": 1}'", "at": "'2019-03-24 20:52:59.123456'",
              "z": "'2019-03-24 20:52:59.123456+00'", "day": "'2019-03-24'",
              "a": "'{a,NULL,\"q\\\"r\"}'", "n": "1.5"}
    for kind in ("simple", "S", "J-", "J+", "binary/S"):
        yield vector(f"converter-header-{spelt(kind)}", f"headers through {kind}",
                     header=kind, P=",".join(f"{name}:header" for name in columns), add=columns,
                     rows=[values, {name: "NULL" for name in columns}])
    yield vector("converter-header-bytes", "headers through ByteArrayConverter", header="bytes",
                 P="y:header", add={"y": "bytea"}, rows=[{"y": "'\\x01'"}])
    yield vector("converter-null-key-string", "a NULL key through StringConverter",
                 change={"aggregateid": "text"}, rows=[{"aggregateid": "NULL"}])
    for kind in ("J-", "J+"):
        yield vector(f"converter-null-key-{spelt(kind)}", f"a NULL key through {kind}",
                     key=kind, change={"aggregateid": "text"}, rows=[{"aggregateid": "NULL"}])


DEFAULTS = {
    "text": ("text DEFAULT 'misc'", "text DEFAULT ''", "text DEFAULT 'it''s'",
             "text DEFAULT 'a' || 'b'", "text DEFAULT current_user", "text DEFAULT upper('x')",
             "varchar(10) DEFAULT 'v'", "char(4) DEFAULT 'c'"),
    "json": ("jsonb DEFAULT '{}'", "json DEFAULT '{\"a\": [1]}'", "jsonb DEFAULT jsonb_build_object()"),
    "number": ("integer DEFAULT 7", "integer DEFAULT -7", "integer DEFAULT (1 + 2)",
               "bigint DEFAULT 99", "smallint DEFAULT 3", "numeric(9,2) DEFAULT 12.5",
               "numeric DEFAULT 1.5", "float8 DEFAULT 0.5", "real DEFAULT '-1.5'",
               "integer DEFAULT random()::integer"),
    "other": ("boolean DEFAULT true", "uuid DEFAULT gen_random_uuid()",
              "uuid DEFAULT '5d2f0b9e-0000-4000-8000-0000000000aa'", "bytea DEFAULT '\\x0102'",
              "text[] DEFAULT '{a,b}'", "mood DEFAULT 'ok'", "email DEFAULT 'a@b'",
              "inet DEFAULT '192.0.2.1'", "interval DEFAULT '1 day'", "xml DEFAULT '<a/>'"),
    "time": ("timestamp DEFAULT '2019-03-24 20:52:59.123456'", "timestamp DEFAULT now()",
             "timestamptz DEFAULT '2019-03-24 20:52:59+02'", "timestamptz DEFAULT now()",
             "date DEFAULT '2019-03-24'", "date DEFAULT current_date", "time DEFAULT '10:34:56'",
             "timestamp(3) DEFAULT '2019-03-24 20:52:59.123456'"),
}
TYPES = ("CREATE TYPE mood AS ENUM ('sad', 'ok')", "CREATE DOMAIN email AS text")


def defaults():
    """A NULL in a column with a default: as header and as member of an envelope, schemas shown."""
    for name, listed in DEFAULTS.items():
        columns = {f"c{number}": sql for number, sql in enumerate(listed, 1)}
        both = ",".join(f"{column}:{role}" for column in columns for role in ("header", "envelope"))
        for suffix, value in (("string", "S"), ("json", "J-"), ("json-schema", "J+")):
            yield vector(f"default-{name}-{suffix}", f"defaults of {name} columns", value=value, P=both,
                         add=columns, setup=TYPES, rows=[{column: "NULL" for column in columns}])
    for name in ("text", "json"):
        columns = {f"c{number}": sql for number, sql in enumerate(DEFAULTS[name], 1)}
        yield vector(f"default-{name}-taken", f"{name} columns that took their defaults", value="J-",
                     P=",".join(f"{column}:envelope" for column in columns), add=columns)
    yield vector("default-key-and-payload", "a NULL key, id and payload with defaults", key="J-",
                 value="J-", KEY="k", ID="i", PAY="p",
                 add={"k": "integer DEFAULT 7", "i": "text DEFAULT 'no id'",
                      "p": "jsonb DEFAULT '{\"a\": 1}'"},
                 rows=[{"k": "NULL", "i": "NULL", "p": "NULL"}])
    yield vector("default-not-null", "defaults of NOT NULL columns", value="J+",
                 P="a:envelope,b:envelope", add={"a": "integer NOT NULL DEFAULT 7",
                                                 "b": "text NOT NULL DEFAULT 'x'"}, rows=[{}])
    yield vector("default-partition", "no default in partition", P="p:partition",
                 add={"p": "integer DEFAULT 3"}, rows=[{"p": "NULL"}, {}])
    yield vector("default-time", "no default in record time", TS="at",
                 add={"at": "timestamp DEFAULT '2019-03-24'"}, rows=[{"at": "NULL"}, {}])
    yield vector("default-version", "no default in the version", value="J+", VER="v",
                 P="type:envelope", add={"v": "integer DEFAULT 3"}, rows=[{"v": "NULL"}])
    yield vector("default-changed", "a default is set while running", value="J-", P="c:envelope",
                 add={"c": "text"}, statements=[
                     [insert(1, {"c": "NULL"})], ["ALTER TABLE outbox ALTER c SET DEFAULT 'now set'"],
                     [insert(2, {"c": "NULL"})]])


def vectors():
    for part in (handling, converters, defaults):
        yield from part()
