import { emptyDatabase } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { migratePart } from './migrate-part.ts';

test('data of another version are refused with a sentence that names its migrations and says how to begin anew', async () => {
  await using database = await emptyDatabase();
  const migrate = () => migratePart('gateway', { MIGRATION_DATABASE_URL: database.adminUrl, DATABASE_URL: database.roleUrl('gateway') });
  await migrate();
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(`insert into gateway.service_migrations (name, run_on) values ('0002-other', now())`);
  await admin.end();
  await expect(migrate()).rejects.toThrow(
    /^the schema has migrations that this version lacks: 0002-other; npm run reset deletes the data and begins anew$/,
  );
});
