"""The router's rules beyond the numbered cases: placement, regex, expansion, tables that change."""

from .shape import E, PUBLICATION, insert, quoted, table, vector


def placements():
    lists = {
        "blanks": " type : header : kind , id : header ",
        "trailing-comma": "type:header,",
        "blank-alias": "type:header: ",
        "two-envelopes": "type:envelope,aggregateid:envelope:ref,type:header",
        "empty-entry": "type:header,,id:header",
        "leading-comma": ",type:header",
        "one-part": "type",
        "blank": " ",
        "unknown-word": "type:body",
        "column-case": "Type:header",
        "envelope-alias-twice": "type:envelope:x,aggregateid:envelope:x",
        "envelope-blank-alias": "type:envelope: ",
        "partition-and-envelope": "type:envelope,p:partition,p:header",
        "colons": "type:header::",
        "two-colons-only": "::",
    }
    for name, text in lists.items():
        yield vector(f"placement-{name}", f"placement list `{text}`", value="J-", P=text,
                     add={"p": "integer"}, rows=[{"p": "2"}, {"p": "NULL"}])
    for placement in ("header", "envelope", "partition"):
        yield vector(f"placement-missing-{placement}", f"a missing column, {placement}", value="J-",
                     P=f"nope:{placement},type:header")
        yield vector(f"placement-missing-{placement}-ignored", f"a missing column ignored, {placement}",
                     value="J-", P=f"nope:{placement},type:header", MISS="ignore")
    yield vector("placement-unknown-word-ignored", "an unknown word for a column that is missing",
                 P="nope:body", MISS="ignore")
    yield vector("placement-missing-behaviour", "an unknown behaviour for what is missing", MISS="warn")
    yield vector("placement-partition-negative", "a negative partition", P="p:partition",
                 add={"p": "integer"}, rows=[{"p": "-1"}])
    yield vector("placement-partition-beyond", "a partition that the topic does not have",
                 P="p:partition", add={"p": "integer"}, rows=[{"p": "0"}, {"p": "1000"}],
                 more={"stalls": True, "deadline_seconds": 10})
    yield vector("placement-partition-small", "a smallint partition", P="p:partition",
                 add={"p": "smallint"}, rows=[{"p": "1"}])
    yield vector("placement-version-bigint", "a bigint version", value="J+", VER="v",
                 P="type:envelope", add={"v": "bigint"}, rows=[{"v": "1"}])
    yield vector("placement-version-smallint", "a smallint version", value="J+", VER="v",
                 P="type:envelope", add={"v": "smallint"}, rows=[{"v": "1"}])
    yield vector("envelope-null-payload", "a NULL payload in an envelope", value="J+",
                 P="type:envelope", rows=[{"payload": "NULL"}])
    yield vector("envelope-schema-names", "the schema's name is that of the first row", value="J+",
                 P="type:envelope", rows=[{}, {"aggregatetype": "'parcel.v2'"}])
    yield vector("envelope-version-names", "versions, and other routing texts", value="J+", VER="v",
                 P="type:envelope", add={"v": "integer"},
                 rows=[{"v": "1"}, {"v": "1", "aggregatetype": "'parcel'"},
                       {"v": "2", "aggregatetype": "'parcel'"}])
    yield vector("envelope-version-payloads", "two payload schemas under one version", value="J+",
                 VER="v", P="type:envelope", EXP="true", add={"v": "integer"},
                 rows=[{"v": "1", "payload": "'{\"a\": 1}'"}, {"v": "1", "payload": "'{\"b\": 1}'"}])
    yield vector("options-blanks-and-case", "blanks and case in enums and booleans", value="J-",
                 rows=[{"payload": "'{\"a\": null}'"}],
                 **{"EXP": " TRUE ", "NUL": " Optional_Bytes ", "OP": " Warn ", "MISS": " IGNORE "})
    yield vector("options-blank-column", "blanks around a column's name", KEY=" type ")


def regexes():
    texts = ["invoice", "Order-42", "a.b_c", "x"]
    cases = {
        "groups": ("([a-zA-Z]+)-?([0-9]*)", "t.$1.$2"),
        "named": ("(?<name>[a-z]+)", "n.${name}"),
        "two-digits": ("(.)(.*)", "g$12"),
        "escapes": ("(.*)", "a\\$1b$1\\\\c"),
        "escaped-dot": ("(.*)", "a\\.$1"),
        "unset-group": ("(invoice)|(.*)", "u$1.$2"),
        "alternatives": ("inv|invoice|x", "alt"),
        "lazy": ("(.+?)(-.*)?", "z.$1"),
        "possessive": ("([a-z]++).*", "p.$1"),
        "lookahead": ("(?=inv)(.*)", "l.$1"),
        "backreference": ("(.)\\1*.*", "b.$1"),
        "case-insensitive": ("(?i)ORDER-(.*)", "i.$1"),
        "classes": ("[a-z&&[^x]]+", "c.$0"),
        "nested-class": ("[a-c[m-o]ivce]+", "m.$0"),
        "posix": ("\\p{Lower}+", "q.$0"),
        "java-class": ("\\p{javaUpperCase}.*", "j.$0"),
        "script": ("\\p{IsLatin}+", "s.$0"),
        "quote": ("\\Qa.b_c\\E", "quoted"),
        "blanks": (" (.*) ", " w.$1 "),
        "bracket-posix": ("[[:alpha:]]+", "x.$0"),
        "unicode": ("(?U)\\w+", "k.$0"),
        "first-only": ("([a-z])(.*)?", "f$1"),
        "empty-match": ("x*|.*", "e"),
        "group-zero": (".*", "$0.$0"),
        "bad-regex": ("(", "x"),
        "python-group": ("(?P<x>.*)", "x"),
        "underscore-group": ("(?<a_b>.*)", "x"),
        "conditional": ("(a)?(?(1)b|c)", "x"),
        "recursion": ("(a(?1)?b)", "x"),
        "no-such-name": ("(.*)", "${nope}"),
        "lone-dollar": ("(.*)", "a$"),
        "bad-dollar": ("(.*)", "a$x"),
        "open-brace": ("(?<n>.*)", "a${n"),
        "negative-class": ("[^-]+", "d.$0"),
        "anchors": ("^inv.*$", "h.$0"),
        "dotall": ("(?s).*", "o.$0"),
        "comments": ("(?x) inv .* # what is issued", "v"),
        "unicode-escape": ("\\u0069nvoice", "y"),
        "hex-escape": ("\\x{69}nvoice", "y"),
        "control-escape": ("\\cAinvoice|x", "y"),
        "horizontal-space": ("[\\h]*invoice", "r"),
        "line-break-escape": ("\\R?invoice", "r"),
        "quantified-group": ("(?:[a-z])+", "t2"),
        "atomic": ("(?>inv)oice", "at"),
        "lookbehind": ("inv(?<=inv)oice", "lb"),
        "octal": ("\\0151nvoice", "oc"),
        "class-intersection-digits": ("[\\w&&[^\\d]]+-[\\d]+", "ci.$0"),
        "grapheme": ("\\X+", "gr"),
        "quote-in-class": ("[\\Qa-\\Einvoce]+", "qc.$0"),
        "back-named": ("(?<c>.).*\\k<c>?", "bn.${c}"),
    }
    for name, (regex, replacement) in cases.items():
        yield vector(f"regex-{name}", f"`{regex}` to `{replacement}`", RE=regex, RP=replacement,
                     rows=[{"aggregatetype": quoted(text)} for text in texts])
    yield vector("regex-value-is-no-template", "`$` and `\\` in the routing text", RE="(.*)", RP="v.x",
                 BY="w", add={"w": "text"}, rows=[{"w": quoted("$1\\2")}])
    yield vector("regex-dot-and-line-ends", "what a dot does not match", RE="(.*)", RP="dots", BY="w",
                 add={"w": "text"}, rows=[{"w": quoted("a b")}, {"w": "E'a\\u2028b'"}])
    yield vector("regex-dot-and-next-line", "a dot does not match U+0085", RE="(.*)", RP="dots", BY="w",
                 add={"w": "text"}, rows=[{"w": "E'a\\u0085b'"}])
    yield vector("regex-dot-and-carriage-return", "a dot does not match CR", RE="(.*)", RP="dots",
                 BY="w", add={"w": "text"}, rows=[{"w": "E'a\\rb'"}])
    yield vector("regex-dollar-before-line-end", "`$` before a last line end", RE="^(?s).*a$(?s).*",
                 RP="dollar", BY="w", add={"w": "text"}, rows=[{"w": "E'a\\n'"}])
    yield vector("regex-non-ascii-word", "`\\w` is ASCII", RE="\\w+", RP="word", BY="w",
                 add={"w": "text"}, rows=[{"w": "'abc'"}, {"w": "'é'"}])
    yield vector("regex-non-ascii-case", "`(?i)` is ASCII", RE="(?i)É|abc", RP="case", BY="w",
                 add={"w": "text"}, rows=[{"w": "'ABC'"}, {"w": "'é'"}])
    yield vector("regex-non-ascii-case-unicode", "`(?iu)` is not", RE="(?iu)É|abc", RP="case", BY="w",
                 add={"w": "text"}, rows=[{"w": "'ABC'"}, {"w": "'é'"}])
    yield vector("topic-too-long", "a topic of 250 characters",
                 rows=[{"aggregatetype": quoted("x" * 236)}, {"aggregatetype": quoted("x" * 237)}])
    yield vector("topic-dot", "the topic `.`", RP=".")
    yield vector("topic-two-dots", "the topic `..`", RP="..")
    yield vector("topic-empty-text", "an empty routing text", rows=[{"aggregatetype": "''"}])


def expansions():
    texts = {
        "scalars": ('{"s": "x", "t": true, "i": 2147483647, "l": 2147483648, "m": -2147483649, '
                    '"d": 1.10, "e": 1e2, "z": -0.0}'),
        "long-limits": '{"a": 9223372036854775807, "b": -9223372036854775808}',
        "nineteen-digits": '{"a": 1000000000000000000, "b": 9000000000000000000}',
        "doubles": '{"a": 0.1234567890123456789, "b": 123456789.125, "c": 1e-5, "d": 0.001}',
        "nested": '{"a": {"b": {"c": [{"d": {"e": 1}}]}}}',
        "mixed-array": '{"a": [1, "x"], "b": 1}',
        "int-and-double": '{"a": [1, 2.5], "b": 1}',
        "nulls-in-array": '{"a": [null, "x", null, "y"]}',
        "empty-object": "{}",
        "empty-objects-inside": '{"a": {}, "b": [{}, {}]}',
        "empty-name": '{"": 1, "b": 2}',
        "text-scalar": '"abc"', "number-scalar": "42", "null-scalar": "null", "true-scalar": "true",
        "broken": '{"a": 1', "trailing": '{"a": 1} more', "single-quotes": "{'a': 1}",
        "comment": '{"a": 1 /* one */}', "nan": '{"a": NaN}', "leading-zero": '{"a": 01}',
        "escapes": '{"a": "\\u00e9\\n\\t\\"\\\\\\/ \\ud83d\\ude00", "\\u0061b": "\u2028"}',
        "same-objects": '{"a": [{"x": 1, "y": {"z": 1}}, {"x": 2, "y": {"z": 2}}]}',
        "array-of-arrays-of-objects": '{"a": [[{"x": 1}], [{"x": 2}]]}',
        "top-array-of-scalars": "[1, 2]", "top-array-of-strings": '["a", "b"]',
        "array-of-booleans": '{"a": [true, false, null]}',
        "null-and-number": '{"a": [1, null, 2]}',
        "big-decimal": '{"a": 1.7976931348623157e309}', "tiny": '{"a": 1e-400}',
        "long-digits": '{"a": 0.' + "1" * 30 + "}",
        "non-ascii-names": '{"é": 1, "a b": 2, "a-b": 3}',
        "whitespace": '{\n  "a" : [ 1 , 2 ]\n}',
    }
    for name, text in texts.items():
        for suffix, kind in (("", "J-"), ("-schema", "J+"), ("-string", "S")):
            if kind == "S" and not name.startswith(("top", "scalars", "nested", "broken", "nulls")):
                continue
            yield vector(f"expand-{name}{suffix}", f"expansion: {name.replace('-', ' ')}", value=kind,
                         EXP="true", change={"payload": "text"}, rows=[{"payload": quoted(text)}])
    deep = "[" * 20 + "]" * 20
    yield vector("expand-deep", "arrays in arrays, twenty deep", value="J-", EXP="true",
                 NUL="optional_bytes", change={"payload": "text"},
                 rows=[{"payload": quoted('{"a": ' + deep + "}")}])
    yield vector("expand-too-deep", "beyond the parser's depth", value="J-", EXP="true",
                 change={"payload": "text"},
                 rows=[{"payload": "'{\"a\": ' || repeat('[', 1001) || '1' || repeat(']', 1001) || '}'"}])
    yield vector("expand-too-long-a-number", "beyond the parser's length of a number", value="J-",
                 EXP="true", change={"payload": "text"},
                 rows=[{"payload": "'{\"a\": ' || repeat('1', 1001) || '}'"}])
    for kind in ("json", "jsonb", "varchar(100)", "document", "hstore"):
        setup = {"document": ["CREATE DOMAIN document AS jsonb"],
                 "hstore": ["CREATE EXTENSION hstore"]}.get(kind, ())
        value = "'a=>1'" if kind == "hstore" else "'{\"a\": {\"b\": 1}}'"
        yield vector(f"expand-column-{kind.split('(')[0]}", f"expansion of a {kind} column", value="J+",
                     EXP="true", setup=setup, change={"payload": kind},
                     rows=[{"payload": value}, {"payload": "NULL"}])
    yield vector("expand-array-column", "expansion of a text[] column", value="J+", EXP="true",
                 change={"payload": "text[]"}, rows=[{"payload": "'{a}'"}])
    yield vector("expand-tombstone", "expansion and tombstones", value="J-", EXP="true", TOMB="true",
                 change={"payload": "text"}, rows=[{"payload": "NULL"}, {"payload": "''"},
                                                   {"payload": "'{}'"}, {"payload": "'null'"}])
    yield vector("expand-null-in-envelope", "a NULL payload, expansion and envelope", value="J+",
                 EXP="true", P="type:envelope", rows=[{"payload": "NULL"}])
    yield vector("expand-schemas-change", "payloads of different schemas in an envelope", value="J+",
                 EXP="true", P="type:envelope",
                 rows=[{"payload": "'{\"a\": 1}'"}, {"payload": "'{\"a\": \"s\"}'"},
                       {"payload": "'{\"a\": 2}'"}])
    yield vector("expand-null-optional", "nulls kept, deep and in arrays", value="J+", EXP="true",
                 NUL="optional_bytes", rows=[{"payload": quoted(
                     '{"a": null, "b": {"c": null}, "d": [{"e": null}, {"e": null}]}')}])


def in_steps(identifier, title, *steps, **inputs):
    return vector(identifier, title, statements=[[step] for step in steps], **inputs)


def changes():
    yield in_steps("change-added-column", "a column is added while running", insert(),
                   "ALTER TABLE outbox ADD COLUMN trace text DEFAULT 'old'",
                   insert(2), insert(3, {"trace": "'new'"}), P="type:header")
    yield in_steps("change-added-header", "a header's column is added while running", insert(),
                   "ALTER TABLE outbox ADD COLUMN trace text", insert(2, {"trace": "'t'"}),
                   P="trace:header", MISS="ignore")
    yield in_steps("change-dropped-header", "a header's column is dropped while running",
                   insert(1, {"trace": "'t'"}), "ALTER TABLE outbox DROP COLUMN trace", insert(2),
                   P="trace:header", MISS="ignore", add={"trace": "text"})
    yield in_steps("change-dropped-required", "a needed header's column is dropped while running",
                   insert(1, {"trace": "'t'"}), "ALTER TABLE outbox DROP COLUMN trace", insert(2),
                   P="trace:header", add={"trace": "text"})
    yield in_steps("change-dropped-other", "a column that is not used is dropped while running",
                   insert(1, {"trace": "'t'"}), "ALTER TABLE outbox DROP COLUMN trace", insert(2),
                   add={"trace": "text"})
    yield in_steps("change-renamed", "the payload column is renamed while running", insert(),
                   "ALTER TABLE outbox RENAME payload TO body", insert(2, {"payload": None,
                                                                          "body": "'{}'"}))
    yield in_steps("change-renamed-into-place", "a column is renamed to the header's name",
                   insert(1, {"a": "'x'"}), "ALTER TABLE outbox RENAME a TO b", insert(2, {"b": "'y'"}),
                   P="b:header", MISS="ignore", add={"a": "text"})
    yield in_steps("change-retyped-payload", "the payload goes from jsonb to text",
                   insert(1, {"payload": "'{\"a\":1}'"}),
                   "ALTER TABLE outbox ALTER payload TYPE text", insert(2, {"payload": "'{\"a\":1}'"}),
                   value="J+")
    yield in_steps("change-retyped-key", "the key goes from integer to bigint",
                   insert(1, {"aggregateid": "7"}),
                   "ALTER TABLE outbox ALTER aggregateid TYPE bigint", insert(2, {"aggregateid": "8"}),
                   key="J+", change={"aggregateid": "integer NOT NULL"})
    yield in_steps("change-retyped-header", "a header goes from integer to text",
                   insert(1, {"h": "7"}), "ALTER TABLE outbox ALTER h TYPE text",
                   insert(2, {"h": "'x'"}), P="h:header", add={"h": "integer"}, header="J+")
    yield in_steps("change-retyped-envelope", "an envelope's member goes from integer to text",
                   insert(1, {"h": "7"}), "ALTER TABLE outbox ALTER h TYPE text",
                   insert(2, {"h": "'x'"}), P="h:envelope", add={"h": "integer"}, value="J-")
    yield in_steps("change-not-null", "NOT NULL comes and goes", insert(),
                   "ALTER TABLE outbox ALTER payload SET NOT NULL", insert(2),
                   "ALTER TABLE outbox ALTER payload DROP NOT NULL", insert(3), value="J+")
    yield in_steps("change-enum-label", "an enum gets a label while running",
                   insert(1, {"m": "'sad'"}), "ALTER TYPE mood ADD VALUE 'ok'",
                   insert(2, {"m": "'ok'"}), P="m:header,m:envelope", add={"m": "mood"}, value="J+",
                   setup=["CREATE TYPE mood AS ENUM ('sad')"])
    yield in_steps("change-recreated", "the table is dropped and made anew", insert(),
                   "DROP TABLE outbox; " + table() + "; ALTER PUBLICATION walpost ADD TABLE outbox",
                   insert(2))
    yield in_steps("change-truncate", "TRUNCATE is no event", insert(), "TRUNCATE outbox", insert(2))


def tables():
    wide = {"payload": "text"}
    yield vector("table-insert-and-delete", "a row that is gone at commit", statements=[
        [insert(), f"DELETE FROM outbox WHERE id = '{E}1'", insert(2)]])
    yield vector("table-many-rows", "rows keep their order", statements=[
        ["INSERT INTO outbox SELECT gen_random_uuid(), 'invoice', 'inv-' || n, 'T', to_jsonb(n) "
         "FROM generate_series(1, 50) n"]], ID="aggregateid")
    yield vector("table-savepoint", "what a savepoint took back is no event", statements=[
        [insert(), "SAVEPOINT s", insert(2), "ROLLBACK TO SAVEPOINT s", insert(3)]])
    yield vector("table-copy", "rows of one statement", statements=[
        [f"INSERT INTO outbox VALUES ('{E}1', 'a', 'k1', 't', '1'), ('{E}2', 'b', 'k2', 't', '2')"]])
    identities = {
        "default": "", "full": "ALTER TABLE outbox REPLICA IDENTITY FULL",
        "nothing": "ALTER TABLE outbox REPLICA IDENTITY NOTHING",
        "index": "ALTER TABLE outbox REPLICA IDENTITY USING INDEX outbox_key",
    }
    for name, alter in identities.items():
        extra = ["CREATE UNIQUE INDEX outbox_key ON outbox (aggregateid)"] if name == "index" else []
        ddl = [table(), *extra, *([alter] if alter else []),
               "CREATE PUBLICATION walpost FOR TABLE outbox" +
               (" WITH (publish = 'insert')" if name == "nothing" else "")]
        later = [] if name == "nothing" else [["UPDATE outbox SET type = 'Other'"]]
        yield vector(f"table-identity-{name}", f"REPLICA IDENTITY {name.upper()}", ddl=ddl,
                     statements=[[insert()], *later, ["DELETE FROM outbox"], [insert(2)]])
    move = f"UPDATE outbox SET id = '{E}5' WHERE id = '{E}1'"
    yield vector("table-key-change", "an update of the primary key", statements=[
        [insert()], [move], [insert(2)]])
    yield vector("table-key-change-fatal", "an update of the primary key under fatal", OP="fatal",
                 statements=[[insert()], [move], [insert(2)]])
    big = {"payload": "(SELECT string_agg(md5(n::text), '') FROM generate_series(1, 200) n)"}
    yield vector("table-key-change-toast", "an update of the primary key, the payload out of line",
                 ddl=[table(change=wide), "ALTER TABLE outbox ALTER payload SET STORAGE EXTERNAL",
                      PUBLICATION], statements=[[insert(1, big)], [move]])
    yield vector("table-index-change", "an update of the identity's index",
                 ddl=[table(), "CREATE UNIQUE INDEX outbox_key ON outbox (aggregateid)",
                      identities["index"], PUBLICATION],
                 statements=[[insert()], ["UPDATE outbox SET aggregateid = 'inv-8'"]])
    for root in ("true", "false"):
        ddl = ["CREATE TABLE outbox (id uuid NOT NULL, aggregatetype varchar(255) NOT NULL, "
               "aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb, "
               "day date NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)",
               "CREATE TABLE outbox_1 PARTITION OF outbox FOR VALUES FROM ('2019-01-01') TO "
               "('2020-01-01')",
               f"CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish_via_partition_root = {root})"]
        yield in_steps(f"table-partitioned-{'root' if root == 'true' else 'leaf'}",
                       f"a partitioned table, publish_via_partition_root = {root}",
                       insert(1, {"day": "'2019-05-01'"}),
                       "CREATE TABLE outbox_2 PARTITION OF outbox FOR VALUES FROM ('2020-01-01') TO "
                       "('2021-01-01')", insert(2, {"day": "'2020-05-01'"}),
                       "DROP TABLE outbox_1", insert(3, {"day": "'2020-06-01'"}), ddl=ddl, value="J+",
                       P="type:envelope")
    two = [table(), table(name="outbox_b", add={"extra": "text"}),
           "CREATE PUBLICATION walpost FOR TABLE outbox, outbox_b"]
    both = [[insert(), insert(2, {"extra": "'e'"}, "outbox_b"), insert(3)]]
    yield vector("table-two", "two outbox tables", ddl=two, statements=both, P="extra:header",
                 MISS="ignore", more={"tables": ["public.outbox", "public.outbox_b"]})
    yield vector("table-two-schema-names", "two outbox tables and their schemas' names", ddl=two,
                 statements=both, P="type:envelope", value="J+",
                 more={"tables": ["public.outbox", "public.outbox_b"]})
    quoted_ddl = ['CREATE SCHEMA "Out"',
                  'CREATE TABLE "Out"."out-box 2" ("Id" uuid PRIMARY KEY, "Aggregate Type" text NOT '
                  'NULL, "Key" text, "Type" text, "Payload" jsonb, "sélect" text)',
                  'CREATE PUBLICATION walpost FOR TABLE "Out"."out-box 2"']
    yield vector("table-quoted", "names that need quotes", ddl=quoted_ddl, value="J+", ID="Id",
                 BY="Aggregate Type", KEY="Key", PAY="Payload", P="sélect:envelope,Type:header",
                 statements=[[f"INSERT INTO \"Out\".\"out-box 2\" VALUES ('{E}1', 'invoicé', 'k', 't', "
                              "'{}', 'x')"]], RP="all", more={"tables": ['"Out"."out-box 2"']})
    yield vector("table-generated", "a generated column is missing", value="J-", P="g:header",
                 add={"g": "text GENERATED ALWAYS AS (type || '!') STORED"})
    yield vector("table-column-list", "a column outside the publication's list is missing",
                 ddl=[table(add={"x": "text"}), "CREATE PUBLICATION walpost FOR TABLE outbox "
                      "(id, aggregatetype, aggregateid, type, payload)"], P="x:header",
                 rows=[{"x": "'x'"}])
    yield vector("table-row-filter", "rows outside the publication's filter",
                 ddl=[table(), "CREATE PUBLICATION walpost FOR TABLE outbox WHERE "
                      "(aggregatetype <> 'secret') WITH (publish = 'insert')"],
                 rows=[{}, {"aggregatetype": "'secret'"}])
    yield vector("table-reordered", "columns in another order", ddl=[
        "CREATE TABLE outbox (payload jsonb, type text, aggregateid text, aggregatetype text, id uuid "
        "PRIMARY KEY)", PUBLICATION], value="J-", P="type:envelope")
    yield vector("table-no-primary-key", "a table without a primary key", ddl=[
        table(change={"id": "uuid"}), PUBLICATION])
    yield vector("table-unlisted", "a row of a table that is not in the include list", ddl=[
        table(), "CREATE TABLE other (id integer PRIMARY KEY)",
        "CREATE PUBLICATION walpost FOR TABLE outbox, other"],
        statements=[["INSERT INTO other VALUES (1)", insert()]],
        connector={"table.include.list": "public.outbox"})
    for setting in ("TimeZone = 'Asia/Tokyo'", "DateStyle = 'German, DMY'",
                    "IntervalStyle = 'sql_standard'", "extra_float_digits = 0",
                    "bytea_output = 'escape'"):
        name = setting.split(" ")[0].lower().replace("_", "-")
        yield vector(f"setting-{name}", f"the database has {setting}", value="J-",
                     setup=[f"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET {setting.replace(chr(39), chr(39) * 2)}', current_database()); END $$"],
                     add={"t": "timestamp", "z": "timestamptz", "i": "interval", "f": "float8",
                          "b": "bytea", "d": "date"},
                     P="t:envelope,z:envelope,i:envelope,f:envelope,b:envelope,d:envelope",
                     rows=[{"t": "'2019-03-24 20:52:59'", "z": "'2019-03-24 20:52:59+00'",
                            "i": "'1 year 2 days 03:04:05'", "f": "0.30000000000000004",
                            "b": "'\\x6869'", "d": "'2019-03-24'"}])
    yield vector("type-json-bytes", "texts that JsonConverter escapes", value="J-", key="J-",
                 header="J-", change={"payload": "text", "aggregateid": "text"}, P="payload:header:h",
                 rows=[{"payload": "E'\\u007f\\u0080\\u00a0\\ufeff\\U0001F600</script>'",
                        "aggregateid": "'ключ'"}])


def tracing():
    yield vector("tracing-inert", "tracing options without OpenTelemetry's classes", add={
        "tracingspancontext": "text"}, rows=[{"tracingspancontext": quoted(
            "traceparent=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")}],
        **{"tracing.span.context.field": "tracingspancontext", "tracing.operation.name": "op"})


def vectors():
    for part in (placements, regexes, expansions, changes, tables, tracing):
        yield from part()
