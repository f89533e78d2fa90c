"""Column type × role × NULL-ness. Column `c` may be NULL, column `n` may not.

Per type: `c` as key, id header, header and payload at once (and `n` as a second header), with
StringConverter, JsonConverter without and with schemas; both as members of an envelope; `c` as
routing text and as record time, where Debezium mostly stops.
"""

from .shape import PUBLICATION, insert, quoted, table, vector


class Type:
    def __init__(self, name, sql, *values, setup=(), odd=(), skip=()):
        """`values`: constants of the type; `odd`: such as only a nullable column takes."""
        self.name, self.sql, self.values = name, sql, values
        self.setup, self.odd, self.skip = setup, odd, skip


def strings(*texts):
    return [quoted(text) for text in texts]


JSON_TEXT = '{"b": 1, "aa" : [1, 2.50, "é\\u0041"], "b": null}'
SCALARS = ('"text"', "42", "null", "[]", "{}", "1e2", "-0", "0.1234567890123456789")
FLOATS = ("1e10", "0.1", "'-0'", "1e-5", "123456789", "'NaN'", "'Infinity'", "'-Infinity'", "0.001",
          "9999999", "10000000", "1")
STAMPS = strings("2019-03-24 20:52:59.123456", "1970-01-01", "2000-01-01 00:00:00.1",
                 "1999-12-31 23:59:59.999999", "9999-12-31 23:59:59")
STAMPS_TZ = [text[:-1] + "+02'" for text in STAMPS]

TYPES = (
    Type("text", "text", *strings("hi", "", "a\"b\\c/d\n\t\b\f\r\u0001\u001f", "é€😀\u2028", "<&>'")),
    Type("varchar", "varchar(10)", *strings("hi", " padded ")),
    Type("char", "char(5)", *strings("hi", "", "hello")),
    Type("name", "name", *strings("hi")),
    Type("citext", "citext", *strings("Hi", ""), setup=["CREATE EXTENSION citext"]),
    Type("uuid", "uuid", *strings("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11")),
    Type("json", "json", *strings(JSON_TEXT, *SCALARS[:4], ' {"a":1}')),
    Type("jsonb", "jsonb", *strings(JSON_TEXT, *SCALARS)),
    Type("bytea", "bytea", "'\\x6869'", "'\\x'", "'\\x00ff80'"),
    Type("int2", "smallint", "7", "-32768", "32767", "0"),
    Type("int4", "integer", "7", "-2147483648", "2147483647", "0"),
    Type("int8", "bigint", "7", "-9223372036854775808", "9223372036854775807", "0"),
    Type("float4", "real", *FLOATS, "3.4028235e38", "1.17549435e-38", "16777216", "0.3"),
    Type("float8", "double precision", *FLOATS, "1.7976931348623157e308", "2.2250738585072014e-308",
         "4.9e-324", "0.30000000000000004", "2e-3", "1.0E23"),
    Type("numeric-scale", "numeric(9,2)", "12.50", "0", "-0.01", "9999999.99", "-128", "1.275",
         odd=["'NaN'"]),
    Type("numeric", "numeric", "12.50", "0", "1e20", "-1e-10", "123456789012345678901234567890.5",
         "100", odd=["'NaN'", "'Infinity'"]),
    Type("numeric-negative-scale", "numeric(3,-2)", "12300", "0", "99900"),
    Type("boolean", "boolean", "true", "false"),
    Type("date", "date", *strings("2019-03-24", "1970-01-01", "1900-02-28", "0044-03-15 BC",
                                  "infinity", "-infinity")),
    Type("time", "time", *strings("10:34:56.789012", "00:00:00", "23:59:59.999999", "24:00")),
    Type("time3", "time(3)", *strings("10:34:56.789", "00:00:00")),
    Type("timetz", "timetz", *strings("10:34:56.789012+02", "00:00:00+00", "10:00+05:30")),
    Type("timestamp", "timestamp", *STAMPS, odd=strings("1969-12-31 23:59:59.999999",
                                                        "infinity", "-infinity", "0044-03-15 BC")),
    Type("timestamp3", "timestamp(3)", *STAMPS),
    Type("timestamp0", "timestamp(0)", *STAMPS),
    Type("timestamptz", "timestamptz", *STAMPS_TZ, *strings("infinity", "-infinity",
         "10000-01-01 00:00+00", "0044-03-15 00:00+00 BC")),
    Type("timestamptz3", "timestamptz(3)", *STAMPS_TZ),
    Type("timestamptz0", "timestamptz(0)", *STAMPS_TZ),
    Type("interval", "interval", *strings("1 year 2 mons 3 days 04:05:06.789", "0", "-1 day",
                                          "1 month", "-00:00:00.000001")),
    Type("enum", "mood", *strings("sad", "very ok"),
         setup=["CREATE TYPE mood AS ENUM ('sad', 'very ok')"]),
    Type("domain-text", "email", *strings("a@b"), setup=["CREATE DOMAIN email AS text"]),
    Type("domain-int", "positive", "7", setup=["CREATE DOMAIN positive AS integer CHECK (value > 0)"]),
    Type("domain-numeric", "price", "12.5", setup=["CREATE DOMAIN price AS numeric(9,2)"]),
    Type("domain-jsonb", "document", *strings('{"a":1}'), setup=["CREATE DOMAIN document AS jsonb"]),
    Type("domain-timestamp", "moment", *STAMPS[:2], setup=["CREATE DOMAIN moment AS timestamp(3)"]),
    Type("domain-enum", "feeling", *strings("sad"),
         setup=["CREATE TYPE mood AS ENUM ('sad', 'ok')", "CREATE DOMAIN feeling AS mood"]),
    Type("domain-domain", "work_email", *strings("a@b"),
         setup=["CREATE DOMAIN email AS varchar(20)", "CREATE DOMAIN work_email AS email"]),
    Type("text-array", "text[]", *strings("{a,b}", "{}", '{NULL,"a\\"b","c\\\\d",""}', "{é😀}")),
    Type("int4-array", "integer[]", *strings("{1,2,NULL}", "{}")),
    Type("int8-array", "bigint[]", *strings("{1,9223372036854775807}")),
    Type("int2-array", "smallint[]", *strings("{1,-2}")),
    Type("boolean-array", "boolean[]", *strings("{t,f,NULL}")),
    Type("float8-array", "float8[]", *strings("{1e10,0.1,NaN}")),
    Type("numeric-array", "numeric(9,2)[]", *strings("{12.5,NULL}")),
    Type("uuid-array", "uuid[]", *strings("{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}")),
    Type("jsonb-array", "jsonb[]", "ARRAY['{\"a\": 1}', NULL]::jsonb[]"),
    Type("bytea-array", "bytea[]", "ARRAY['\\x6869', NULL]::bytea[]"),
    Type("timestamp-array", "timestamp[]", "ARRAY['2019-03-24 20:52:59.123456', NULL]::timestamp[]"),
    Type("timestamptz-array", "timestamptz[]", "ARRAY['2019-03-24 20:52:59.123456+02']::timestamptz[]"),
    Type("date-array", "date[]", "ARRAY['2019-03-24', NULL]::date[]"),
    Type("varchar-array", "varchar(5)[]", *strings("{a,b}")),
    Type("enum-array", "mood[]", *strings("{sad}"),
         setup=["CREATE TYPE mood AS ENUM ('sad', 'ok')"]),
    Type("two-dimensions", "integer[]", *strings("{{1,2},{3,4}}")),
    Type("hstore", "hstore", *strings("b=>2, a=>NULL", "", '"x y"=>"q\\"r"'),
         setup=["CREATE EXTENSION hstore"]),
    Type("inet", "inet", *strings("192.0.2.1", "192.0.2.0/24", "2001:db8::1")),
    Type("cidr", "cidr", *strings("192.0.2.0/24")),
    Type("macaddr", "macaddr", *strings("08:00:2b:01:02:03")),
    Type("xml", "xml", *strings("<a b='1'>c</a>", "<a/>")),
    Type("oid", "oid", "7", "4294967295"),
    Type("money", "money", "12.50", "'-0.01'"),
    Type("bit1", "bit(1)", "B'1'", "B'0'"),
    Type("bit", "bit(10)", "B'1000000001'"),
    Type("varbit", "varbit(10)", "B'101'"),
    Type("int4range", "int4range", *strings("[1,5)", "empty")),
    Type("tstzrange", "tstzrange", *strings("[2019-03-24 20:52:59+00,)")),
    Type("ltree", "ltree", *strings("a.b.c"), setup=["CREATE EXTENSION ltree"]),
    Type("tsvector", "tsvector", *strings("a fat cat")),
    Type("point", "point", *strings("(1,2.5)")),
    Type("composite", "pair", "ROW(1, 'a')", setup=["CREATE TYPE pair AS (a integer, b text)"]),
    Type("pg-lsn", "pg_lsn", *strings("0/16B3748")),
    Type("jsonpath", "jsonpath", *strings("$.a")),
)

# Those that Debezium hands to Kafka Connect as texts, or as numbers that may be a time.
ROUTES = {"text", "varchar", "char", "citext", "uuid", "json", "jsonb", "enum", "timestamptz", "inet",
          "xml", "domain-text", "hstore", "name", "bytea", "int4", "int8", "boolean", "numeric", "date",
          "timestamp", "text-array", "numeric-scale", "float8", "interval", "cidr", "ltree", "timetz",
          "int2", "float4", "time"}
TIMES = {"timestamp", "timestamp3", "timestamp0", "timestamptz", "date", "time", "time3", "interval",
         "int4", "int8", "text", "domain-timestamp", "uuid", "numeric", "boolean", "jsonb", "bytea",
         "float8", "enum", "timetz", "int2", "numeric-scale", "float4", "text-array"}


def rows(kind, null=True):
    """Every value in both columns, then (c) those for nullable columns only, then NULL."""
    first = kind.values[0]
    result = [{"c": value, "n": value} for value in kind.values]
    result += [{"c": value, "n": first} for value in kind.odd]
    if null:
        result.append({"c": "NULL", "n": first})
    return result


def is_early(value):
    """Not after 1970-01-01 00:00:00 to the millisecond: what some clients cannot send."""
    return value.startswith(("'1970-01-01'", "'1970-01-01+", "'1969-", "'-infinity'", "'0044-"))


def of_type(kind):
    shape = {"add": {"c": kind.sql, "n": kind.sql + " NOT NULL"}, "setup": kind.setup}
    columns = {"KEY": "c", "ID": "c", "PAY": "c", "P": "c:header:h,n:header:nn"}
    name = f"type-{kind.name}"
    for suffix, converter, header in (("string", "S", None), ("json", "J-", "J-"),
                                      ("json-schema", "J+", "J+")):
        yield vector(f"{name}-{suffix}", f"{kind.sql}: key, id, header and payload", key=converter,
                     value=converter, header=header, rows=rows(kind), **shape, **columns)
    yield vector(f"{name}-envelope", f"{kind.sql}: members of an envelope", value="J+",
                 P="c:envelope,n:envelope", rows=rows(kind), **shape)
    if kind.name in ROUTES:
        yield vector(f"{name}-route", f"{kind.sql}: routing text", BY="c", rows=rows(kind), **shape)
    if kind.name in TIMES:
        early = [row for row in rows(kind) if is_early(row["c"])]
        later = [row for row in rows(kind) if not is_early(row["c"])]
        yield vector(f"{name}-time", f"{kind.sql}: record time", TS="c", rows=later, **shape)
        if early and later[:-1] and kind.name.startswith(("timestamp", "domain-timestamp")):
            yield vector(f"{name}-time-early", f"{kind.sql}: record time in 1970 or before", TS="c",
                         rows=early, **shape)


def vectors():
    for kind in TYPES:
        yield from of_type(kind)
