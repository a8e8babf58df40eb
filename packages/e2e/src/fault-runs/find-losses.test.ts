import { randomUUID } from 'node:crypto';
import { testDatabaseForAll } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { findBrokenPromises } from './find-losses.ts';
import type { Visit } from './visit.ts';

const accepted = (kind: Visit['kind'], done: Visit['done'] = []): Visit => ({
  kind,
  key: randomUUID(),
  id: randomUUID(),
  began: 0,
  tookMs: 1,
  ended: 1,
  done,
  outcome: 'accepted',
  code: null,
  failed: [],
});

test('stamps and places that were promised and do not exist are reported as lost', async () => {
  await using database = await testDatabaseForAll();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    expect(await findBrokenPromises(client, [])).toEqual([]);
    const [stamp, party] = [accepted('stamp'), accepted('party', ['leave'])];
    expect(await findBrokenPromises(client, [stamp, party])).toEqual([
      { kind: 'lost', invariant: 'a granted stamp is there', detail: JSON.stringify({ id: stamp.id }) },
      { kind: 'lost', invariant: 'an accepted place in the queue exists', detail: JSON.stringify({ id: party.id }) },
    ]);
  } finally {
    await client.end();
  }
});
