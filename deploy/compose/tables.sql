-- What an administrator prepares once: tables, publication, and two roles that have no more than
-- what they need. walpost creates its slot itself.
CREATE TABLE orders (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer text NOT NULL,
  cents int NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  aggregatetype varchar(255) NOT NULL,
  aggregateid varchar(255) NOT NULL,
  type varchar(255) NOT NULL,
  payload jsonb
);

CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert');

CREATE ROLE walpost LOGIN REPLICATION PASSWORD 'walpost';
GRANT SELECT ON outbox TO walpost;

CREATE ROLE shop LOGIN PASSWORD 'shop';
GRANT SELECT, INSERT ON orders TO shop;
GRANT USAGE ON SEQUENCE orders_number_seq TO shop;
GRANT INSERT ON outbox TO shop;
