import { expect, test } from '@jest/globals';
import { testDatabase } from '../test-database.ts';
import { planStatements } from './plan-statements.ts';

test('a statement that reads a whole table is found on the size of tables on which it does', async () => {
  await using database = await testDatabase('notifications');
  const rows = 'jsonb_to_recordset($1::jsonb) as s (id uuid, state text)';
  const statements = {
    'settle by rows alone': `update message m set state = s.state from ${rows} where m.id = s.id and m.state = 'pending'`,
    'settle by ids': `update message m set state = s.state from ${rows} where m.id = s.id and m.id = any($2::uuid[]) and m.state = 'pending'`,
    'find one': 'select 1 from message where id = $slonik_1',
    'find by what no index has': 'select 1 from message where template = $1',
  };
  const found = await planStatements(database, 'notifications', new Map(Object.entries(statements).map(([name, text]) => [text, name])));
  const texts = found.map(({ text }) => text);
  expect(texts.filter((text) => text.startsWith('settle by rows alone'))).toContain(
    'settle by rows alone, planned on empty tables: Index Scan of message_pkey on message',
  );
  expect(texts.filter((text) => text.startsWith('settle by ids') || text.startsWith('find one'))).toEqual([]);
  expect(texts.filter((text) => text.startsWith('find by what no index has'))).toEqual(
    ['empty', 'young', 'large', 'drained'].map((size) => `find by what no index has, planned on ${size} tables: Seq Scan of message`),
  );
});

test('a statement about one row that reads all of an index of what is still to be done is found, though such an index looks empty', async () => {
  await using database = await testDatabase('orders');
  const statements = {
    'in the open': "update orders set look_at = null where id = $1 and payment_status = 'pending_payment'",
    hidden: "update orders set look_at = null where id = $1 and coalesce(payment_status, '') = 'pending_payment'",
  };
  const found = await planStatements(database, 'orders', new Map(Object.entries(statements).map(([name, text]) => [text, name])));
  expect(found.map(({ text }) => text)).toContain('in the open, planned on drained tables: Index Scan of orders_unpaid on orders');
  expect(found.filter(({ by }) => by === 'hidden')).toEqual([]);
});
