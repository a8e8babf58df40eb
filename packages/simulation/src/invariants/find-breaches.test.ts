import { randomUUID } from 'node:crypto';
import { testDatabaseForAll } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { findBreaches } from './find-breaches.ts';
import { openHistory } from './history.ts';

const emptyBooks = { intents: [], refunds: [], applicationFees: [], feeRefunds: [] };

test('the comparison finds no breach in the tables of a new system', async () => {
  await using database = await testDatabaseForAll();
  expect(await findBreaches(database.adminUrl, emptyBooks, openHistory())).toEqual([]);
});

test('the comparison reports an order that a client received and that does not exist', async () => {
  await using database = await testDatabaseForAll();
  const history = openHistory();
  const order_id = randomUUID();
  history.add({ at: new Date().toISOString(), operation: 'create', key: 'k', outcome: 'ok', status: 200, response: { order_id } });
  expect(await findBreaches(database.adminUrl, emptyBooks, history)).toEqual([
    { kind: 'lost', invariant: 'an accepted order exists', detail: JSON.stringify({ id: order_id }) },
  ]);
});
