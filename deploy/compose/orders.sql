-- Places an order every second, for ever: the order and its event in one transaction. Where a
-- statement ends in \; psql sends it together with the next.
\set QUIET on
\o /dev/null
BEGIN\;
INSERT INTO orders (customer, cents)
  VALUES ((ARRAY['Ada', 'Ben', 'Cleo', 'Dora'])[1 + floor(4 * random())],
          100 + floor(9900 * random()))\;
INSERT INTO outbox (aggregatetype, aggregateid, type, payload)
  SELECT 'order', number, 'created',
         jsonb_build_object('order', number, 'customer', customer, 'cents', cents)
  FROM orders
  WHERE number = currval(pg_get_serial_sequence('orders', 'number'))\;
COMMIT \watch 1
