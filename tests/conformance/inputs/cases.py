"""The numbered cases of the router: A to L, each under its number, variants with a suffix."""

from .shape import E, PUBLICATION, WITH_EMPTY_ARRAYS, insert, quoted, table, vector

VARIANTS = {"S": "-string", "J-": "-json", "J+": "-json-schema"}


def case(number, title, kinds=("S",), **inputs):
    """A case with one or several value converters; the first has the bare number."""
    for position, kind in enumerate(kinds):
        suffix = "" if position == 0 else VARIANTS[kind]
        yield vector(f"R{number:03}{suffix}", title, case=f"R{number:03}", value=kind, **inputs)


def payload(text):
    return {"payload": quoted(text)}


def routed():
    yield from case(1, "an insert", ("S", "J-", "J+"), rows=[payload('{"b": 1, "aa": [1, 2]}')])
    delete = [[insert()], [f"DELETE FROM outbox WHERE id = '{E}1'"], [insert(2)]]
    yield from case(3, "a delete, and the tombstone behind it, are dropped", statements=delete)
    update = [[insert()], ["UPDATE outbox SET type = 'Other'"], [insert(2)]]
    yield from case(5, "an update is dropped", statements=update)
    yield vector("R005-error", "an update is dropped, behaviour error", case="R005", OP="error",
                 statements=update)
    yield from case(7, "an update, behaviour fatal", OP="fatal", statements=update)
    yield from case(9, "an unknown behaviour", OP="boom")
    beats = {"heartbeat.interval.ms": "100"}
    once = {"placeholders": ['{"ts_ms":<number>}'], "once": ["__debezium-heartbeat.srv"],
            "await": ["__debezium-heartbeat.srv"]}
    yield from case(11, "a heartbeat passes", ("J-",), key="J-", connector=beats, more=once)
    emit = "SELECT pg_logical_emit_message(true, '{0}', 'hello')"
    message = {"placeholders": [
        '{"op":"m","ts_ms":<number>,"source":<any>,"message":{"prefix":"audit","content":"aGVsbG8="}}']}
    yield from case(15, "a logical decoding message passes", ("J-",), key="J-",
                    statements=[[emit.format("audit"), insert()]], more=message)
    signals = ["CREATE TABLE signals (id text PRIMARY KEY, type text, data text)",
               "CREATE PUBLICATION walpost FOR TABLE outbox, signals"]
    yield from case(17, "a row of another captured table without a payload column",
                    ddl=[table(), *signals],
                    statements=[[insert()], ["INSERT INTO signals VALUES ('1', 'log', '{}')"]])


def topics():
    def by(text, **more):
        return {"aggregatetype": quoted(text), **more}

    yield from case(19, "the routing text keeps its case", rows=[by("Parcel")])
    yield from case(21, "another routing column", BY="tenant", add={"tenant": "varchar"},
                    rows=[{"tenant": "'blue'"}])
    yield from case(23, "no such routing column", BY="nope")
    yield from case(25, "a uuid as routing text", BY="u", add={"u": "uuid"},
                    rows=[{"u": f"'{E}9'"}])
    yield from case(27, "a NULL routing text with a default", BY="t",
                    add={"t": "varchar DEFAULT 'misc'"}, rows=[{}, {"t": "NULL"}])
    yield from case(29, "a line break in the routing text", rows=[by("a\nb")])
    yield from case(31, "a replacement without a group", RP="all-events")
    yield from case(33, "a regex that does not match", RE="order-(?<x>.*)")
    yield from case(35, "whole match, then the first hit is replaced", RE="a|abc", RP="X",
                    rows=[by("abc")])
    yield from case(37, "a group number that is not there", RP="x$7")
    yield from case(39, "a lone backslash at the end", RP="x\\")
    yield from case(41, "an empty replacement", RP="")
    yield from case(43, "an empty regex", RE="")
    yield from case(45, "rows that match and rows that do not", RE="(?<routedByValue>inv.*)",
                    RP="a.${routedByValue}", rows=[{}, by("refund")])


def keys():
    yield from case(47, "another key column", KEY="type")
    yield from case(49, "an empty name of the key column", KEY="")
    yield from case(51, "an integer key", change={"aggregateid": "integer NOT NULL"},
                    rows=[{"aggregateid": "54"}])
    yield from case(53, "a uuid key", KEY="id")
    for kind in ("J-", "J+"):
        yield vector("R053" + VARIANTS[kind], "a uuid key", case="R053", KEY="id", key=kind)
    yield from case(55, "a NULL key with a default", KEY="k", add={"k": "varchar DEFAULT 'dflt'"},
                    rows=[{"k": "NULL"}])


def headers():
    yield from case(57, "the id header")
    yield vector("R057-json-schema", "the id header with JsonConverter", case="R057", header="J+")
    yield from case(59, "no such id column", ID="noid")
    yield from case(61, "a header with an alias", P="type:header:eventType")
    yield from case(63, "placements in any case", P="type:HEADER:T")
    yield from case(65, "headers of one name", P="id:header,type:header:id")
    yield from case(67, "a NULL boolean with a default", P="flag:header",
                    add={"flag": "boolean DEFAULT false"}, rows=[{"flag": "NULL"}])
    yield from case(69, "bytea as header", P="blob:header", add={"blob": "bytea"},
                    rows=[{"blob": "'\\x010203'"}])
    yield from case(71, "timestamp as header", P="at:header", add={"at": "timestamp"},
                    rows=[{"at": "'2019-03-24 20:52:59.000123'"}])
    yield from case(73, "double as header", P="amount:header", add={"amount": "float8"},
                    rows=[{"amount": "1e10"}])
    yield from case(75, "a missing column that is ignored", P="nope:header,type:header", MISS="ignore")
    yield from case(77, "the connector's own headers", P="type:header",
                    connector={"extended.headers.enabled": "true"},
                    more={"placeholders": ["<uuid>"]},
                    change={"id": "varchar PRIMARY KEY"}, rows=[{"id": "'one'"}])


def placements():
    yield from case(79, "an empty list", P="")
    yield from case(81, "four parts", P="a:header:b:c")
    yield from case(83, "a lone comma", P=",")
    yield from case(85, "a colon at the end", P="type:header:")
    yield from case(87, "no placement word", P="type::x")
    yield from case(89, "no column", P=":header")
    yield from case(91, "an unknown option",
                    **{"table.fields.additional.error.on.missing": "false"})


def envelopes():
    both = ("J-", "J+", "S")
    yield from case(93, "an envelope", both, P="type:envelope:eventType")
    renamed = {"id": None, "aggregatetype": None, "aggregateid": None, "type": None, "payload": None}
    columns = {"event_no": "integer PRIMARY KEY", "lane": "text NOT NULL", "ref": "integer NOT NULL",
               "body": "bytea", "paid": "boolean"}
    row = {**renamed, "event_no": "2", "lane": "'north'", "ref": "123", "body": "'\\x6869'",
           "paid": "true"}
    yield from case(95, "all columns renamed", both, P="paid:envelope:ok", PAY="body", ID="event_no",
                    KEY="ref", BY="lane", change=renamed, add=columns, rows=[row])
    yield from case(97, "the name of the envelope's schema", ("J+",), P="type:envelope")
    yield from case(99, "an alias that is taken", ("J-",), P="type:envelope:payload")
    yield from case(101, "a missing envelope column", ("J-",), P="nope:envelope:x")
    added = [[insert()], ["ALTER TABLE outbox ADD COLUMN trace text"], [insert(2, {"trace": "'t'"})]]
    yield from case(103, "a missing envelope column is added while running", ("J-",),
                    P="trace:envelope", MISS="ignore", statements=added)
    version = {"ver": "integer"}
    yield from case(105, "the schema's version", ("J+", "J-"), VER="ver", P="type:envelope", add=version,
                    rows=[{"ver": "4"}])
    yield from case(107, "a version without an envelope", ("J+",), VER="ver", add=version,
                    rows=[{"ver": "4"}])
    yield from case(109, "no such version column", ("J+",), VER="ver", P="type:envelope")
    yield from case(111, "a NULL version", ("J+",), VER="ver", P="type:envelope", add=version,
                    rows=[{"ver": "NULL"}])
    rich = {"version": "integer", "flag": "boolean", "created": "timestamp(3)",
            "gone": "boolean DEFAULT false"}
    yield from case(113, "envelope, header, version and timestamp at once", ("J+", "J-"), VER="version",
                    TS="created", P="version:envelope:v,aggregatetype:envelope:at,flag:envelope,"
                    "flag:header,gone:envelope:deleted", add=rich,
                    rows=[{"version": "1", "flag": "true", "created": "'2019-03-24 20:52:59'"}])


def partitions():
    yield from case(115, "an explicit partition", P="p:partition:zzz", add={"p": "integer"},
                    rows=[{"p": "3"}, {"p": "NULL"}, {"p": "0"}])
    yield from case(117, "a bigint partition", P="p:partition", add={"p": "bigint"}, rows=[{"p": "3"}])
    yield from case(119, "the last partition wins", P="p:partition,q:partition",
                    add={"p": "integer", "q": "integer"}, rows=[{"p": "1", "q": "2"}])
    yield from case(121, "no such partition column", P="nope:partition")


def timestamps():
    yield from case(123, "no timestamp column")
    yield from case(125, "microseconds are cut", TS="at", add={"at": "timestamp"},
                    rows=[{"at": "'2019-03-24 20:52:59.000999'"}])
    yield from case(127, "a NULL timestamp", TS="at", add={"at": "timestamp"}, rows=[{"at": "NULL"}])
    yield from case(129, "a bigint timestamp", TS="at", add={"at": "bigint"}, rows=[{"at": "5"}])
    yield from case(131, "a timestamptz timestamp", TS="at", add={"at": "timestamptz"},
                    rows=[{"at": "'2019-03-24 20:52:59+00'"}])
    yield vector("R131-null", "a NULL timestamptz timestamp", case="R131", TS="at",
                 add={"at": "timestamptz"}, rows=[{"at": "NULL"}])
    yield from case(133, "a time of day as timestamp", TS="at", add={"at": "time(6)"},
                    rows=[{"at": "'20:52:59'"}])
    yield from case(135, "no such timestamp column", TS="at")
    yield from case(137, "a timestamp before 1970", TS="at", add={"at": "timestamp"},
                    rows=[{"at": "'1960-01-01'"}])


def tombstones():
    text = {"payload": "text"}
    null = [{"payload": "NULL"}]
    yield from case(139, "a NULL payload", ("S", "J-", "J+"), TOMB="true", rows=null)
    yield from case(141, "an empty text payload", TOMB="true", change=text,
                    rows=[payload(""), payload(" \t\n")])
    yield from case(143, "a no-break space is no blank", TOMB="true", change=text,
                    rows=[payload("\u00a0")])
    yield from case(145, "empty containers are not empty", TOMB="true",
                    rows=[payload(text) for text in ("{}", "[]", "null", '""')])
    yield from case(147, "a NULL payload with a default", TOMB="true",
                    change={"payload": "jsonb DEFAULT '{}'"}, rows=null)
    yield from case(149, "an empty payload in an envelope", ("J-",), P="gone:envelope:deleted",
                    change=text, add={"gone": "boolean"}, rows=[{"payload": "''", "gone": "true"}])
    yield vector("R149-tombstone", "an empty payload, envelope and tombstone", case="R149", value="J-",
                 P="gone:envelope:deleted", TOMB="true", change=text, add={"gone": "boolean"},
                 rows=[{"payload": "''", "gone": "true"}, {"payload": "NULL", "gone": "true"}])
    yield from case(151, "no boolean", TOMB="yes")


def payload_types():
    hi = {"change": {"payload": "bytea"}, "rows": [{"payload": "'\\x6869'"}]}
    yield from case(153, "jsonb is PostgreSQL's text of it",
                    rows=[payload('{"b":1,"aa":2,"b":3,"a":1.50,"z":1e2}')])
    yield vector("R155", "ByteArrayConverter takes no text", case="R155", value="bytes")
    yield vector("R155-null", "ByteArrayConverter takes no NULL text", case="R155", value="bytes",
                 rows=[{"payload": "NULL"}])
    yield vector("R157", "BinaryDataConverter and bytea", case="R157", value="binary", **hi)
    yield vector("R159", "BinaryDataConverter with a delegate", case="R159", value="binary/S")
    yield from case(161, "StringConverter and bytea", **hi)
    yield from case(163, "bytea in hex", connector={"binary.handling.mode": "hex"}, **hi)
    yield from case(165, "an array", ("J-", "J+", "S"), change={"payload": "text[]"},
                    rows=[{"payload": "'{a,b}'"}])


DOGS = '{"a": [{"k": "dog", "c": []}, {"k": "cat", "c": [{"n": "white"}]}]}'
THREE = '{"a": [{"c": "1", "d": "x"}, {"c": "2", "d": "y"}, {"c": "3"}]}'
PEOPLE = ('{"name": "Ada", "on": true, "score": 4.9, "age": 42, "tags": ["x", "y"], '
          '"kids": [{"k": "1"}, {"k": "2"}]}')


def expand(number, title, text, kinds=("J-", "S"), column="json", **inputs):
    inputs.setdefault("rows", [payload(text)])
    yield from case(number, title, kinds, change={"payload": column}, EXP="true", **inputs)


def expansion():
    empty = {"EMP": "optional_string", "version": WITH_EMPTY_ARRAYS}
    yield from expand(167, "an object", PEOPLE, ("J-", "J+", "S"))
    yield from expand(169, "in an envelope", '{"name": "Ada"}', ("J-", "J+"), P="type:envelope")
    yield from case(171, "names of the structs", ("J+",), EXP="true", PAY="body",
                    change={"payload": None}, add={"body": "jsonb"},
                    rows=[{"payload": None, "body": quoted('{"a": {"b": 1}}')}])
    yield from expand(173, "a null member", '{"a": null, "b": 1}', ("J-", "J+"))
    yield vector("R173-optional", "a null member is kept", case="R173", value="J+", EXP="true",
                 NUL="optional_bytes", rows=[payload('{"a": null, "b": 1}')])
    yield from expand(175, "an empty array", '{"a": [], "b": 1}', ("J-", "J+"))
    yield from expand(177, "an empty array is kept", '{"o": {"a": []}}', ("J-", "J+"), **empty)
    yield from expand(179, "an empty array beside one that is not", DOGS, ("J-",), **empty,
                      more={"unstable": "which of the two schemas wins depends on the order of a "
                            "hash set"})
    yield from expand(181, "an array of nulls", '{"a": [null, null], "b": 1}', ("J-",))
    yield vector("R181-optional", "an array of nulls is kept", case="R181", value="J+", EXP="true",
                 NUL="optional_bytes", rows=[payload('{"a": [null, null], "b": 1}')])
    yield from expand(183, "a member that one object lacks", THREE, ("J-",))
    lacking = THREE.replace('{"c": "3"}', '{"c": "3", "d": null}')
    yield from expand(185, "a member that is null in one object", lacking, ("J-", "J+"),
                      NUL="optional_bytes", more={"unstable": "the order of the merged members"})
    yield from expand(187, "objects without a common member", '{"a": [{"x": 1}, {"y": 2}]}', ("J-",),
                      more={"unstable": "the order of the merged members"})
    yield from expand(189, "objects whose members differ in type", '{"a": [{"x": 1}, {"x": "s"}]}')
    yield from expand(191, "an object beside a number", '{"a": [{"y": 2}, 3]}', ("J-",))
    yield from expand(193, "numbers of different size", '{"a": [1, 3000000000]}', ("J-",))
    yield from expand(195, "arrays in arrays", '{"a": [[1], [2, 3]]}', ("J-", "J+"))
    yield from expand(197, "an empty array first in an array", '{"a": [[], [1]]}', ("J-",))
    yield from expand(199, "an array at the top", '[{"a": 1}]')
    yield from expand(201, "an empty array at the top", "[]", ("S", "J-", "J+"))
    yield from expand(203, "an empty array at the top, in an envelope", "[]", ("J-",),
                      P="type:envelope")
    yield from expand(205, "an empty text", "", ("J-",), "text")
    yield from expand(207, "a leading blank", ' {"a":1}', ("J-",), "text")
    yield from expand(209, "a repeated member", '{"a":1,"b":2,"a":3}', ("J-",), "text")
    yield from expand(211, "an exponent in jsonb", '{"b": 1e2}', ("J-", "J+"), "jsonb")
    yield from expand(213, "an integer beyond 64 bits", '{"a": 12345678901234567890}')
    yield vector("R213-envelope", "an integer beyond 64 bits, in an envelope", case="R213", value="J-",
                 EXP="true", P="type:envelope", rows=[payload('{"a": 12345678901234567890}')])
    yield from expand(215, "a number beyond a double", '{"a":1e400}', ("J-",), "text")
    yield from expand(217, "a dot in a member's name", '{"a.b": 1, "a": {"b": 2}}', ("J-", "J+"))
    yield from case(219, "bytea", ("J-",), EXP="true", change={"payload": "bytea"},
                    rows=[{"payload": "'\\x7b7d'"}])
    yield from expand(221, "another schema in each row", "", ("J-", "J+"),
                      rows=[payload('{"a":1}'), payload('{"a":"s","b":[1]}')])
    yield from expand(223, "an unknown behaviour for null", "{}", ("J-",), NUL="drop")


def feeding():
    before = insert(9)
    yield from case(225, "rows from before the slot", ddl=[table(), PUBLICATION, before])
    yield from case(227, "a queue that is no larger than a batch",
                    connector={"max.queue.size": "10", "max.batch.size": "10"})
    filtered = {"publication.autocreate.mode": "filtered",
                "table.include.list": "public.outbox"}
    yield from case(229, "filtered, but the publication is for all tables",
                    ddl=[table(), "CREATE PUBLICATION walpost FOR ALL TABLES"], connector=filtered)
    yield from case(231, "filtered, the publication is made by the connector", ddl=[table()],
                    connector={**filtered, "skipped.operations": "u,d,t"}, more={"slot": "connector"},
                    statements=[[insert()], ["UPDATE outbox SET type = 'Other'"], [insert(2)]])
    yield from case(233, "a heartbeat although the outbox is quiet", ("J-",), key="J-",
                    connector={"heartbeat.interval.ms": "100"},
                    ddl=[table(), "CREATE TABLE busy (n integer)", PUBLICATION],
                    statements=[["INSERT INTO busy SELECT generate_series(1, 1000)"]],
                    more={"placeholders": ['{"ts_ms":<number>}'],
                          "once": ["__debezium-heartbeat.srv"],
                          "await": ["__debezium-heartbeat.srv"]})
    yield from case(235, "a transaction that is rolled back",
                    statements=[[insert(1), insert(2), insert(3), "-- rolled back"], [insert(4)]])
    message = {"placeholders": [
        '{"op":"m","ts_ms":<number>,"source":<any>,"message":{"prefix":"audit","content":"aGVsbG8="}}']}
    emit = "SELECT pg_logical_emit_message(true, '{0}', 'hello')"
    yield from case(237, "messages of one prefix only", ("J-",), key="J-",
                    connector={"message.prefix.include.list": "audit,walpost.*"},
                    statements=[[emit.format("audit"), emit.format("other"), insert()]], more=message)


def vectors():
    for part in (routed, topics, keys, headers, placements, envelopes, partitions, timestamps,
                 tombstones, payload_types, expansion, feeding):
        yield from part()
