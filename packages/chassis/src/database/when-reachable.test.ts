import { tcpProxyTo, testDatabaseForAll } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { openDatabase } from './database.ts';
import { whenReachable } from './when-reachable.ts';

const logThat = (noted: () => void) => ({ warn: noted }) as unknown as Parameters<typeof whenReachable>[1];

test('a start waits for a Postgres that cannot be reached yet', async () => {
  await using server = await testDatabaseForAll();
  await using proxy = await tcpProxyTo(server.adminUrl, { cut: true });
  let warnings = 0;
  const log = logThat(() => {
    warnings += 1;
    proxy.mend();
  });
  await using database = await whenReachable(() => openDatabase({ url: proxy.url }), log);
  expect(await database.oneFirst(sql.type(z.object({ one: z.number() }))`select 1 as one`)).toBe(1);
  expect(warnings).toBe(1);
});

test('a start does not wait when Postgres refuses it', async () => {
  await using server = await testDatabaseForAll();
  const url = new URL(server.adminUrl);
  url.pathname = '/absent';
  let warnings = 0;
  const log = logThat(() => {
    warnings += 1;
  });
  await expect(whenReachable(() => openDatabase({ url: url.href }), log)).rejects.toThrow(/absent/);
  expect(warnings).toBe(0);
});
