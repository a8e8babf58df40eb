import { readFileSync } from 'node:fs';
import { testDatabaseForAll } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { checkout } from '../walls/read-files.ts';

test('the statements of docs/backups.md fit the tables', async () => {
  const blocks = [...readFileSync(`${checkout}/docs/backups.md`, 'utf8').matchAll(/```sql\n(.*?)```/gs)].map(([, block]) => block ?? '');
  expect(blocks.length).toBeGreaterThan(2);
  await using database = await testDatabaseForAll();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    for (const block of blocks) await client.query(block);
  } finally {
    await client.end();
  }
});
