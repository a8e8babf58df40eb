import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { emptyDatabase } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';

const program = `
  import { migrateService } from '${import.meta.dirname}/migrate-service.ts';
  await migrateService('orders', '${import.meta.dirname}/testing/migrations/orders');`;

test('a migration ends at once on SIGTERM, says so, and does not count as done', async () => {
  await using database = await emptyDatabase();
  const holder = new pg.Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7241865325823964)');
  const env = { ...process.env, MIGRATION_DATABASE_URL: database.adminUrl, DATABASE_URL: database.roleUrl('orders') };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  for await (const line of child.stderr) {
    said += line;
    if (said.includes('waiting for')) child.kill('SIGTERM');
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  await holder.end();
  // Without the handler the signal ends it too, but without a code; process 1 of a container would ignore the signal.
  expect(code).toBe(143);
  expect(said).toContain('orders: ended by SIGTERM before it was done');
});
