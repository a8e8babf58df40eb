import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openStoreLike } from '../testing/own-store.ts';
import { runCorner } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let environment: TestEnvironment;
let database: pg.Client;
let code: string;
const [ana, bo] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  folder = await testFolder();
  environment = await sharedEnvironment();
  ({ code } = await openStoreLike('coffee', environment.system));
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
  const customers = [
    { id: ana, name: 'Ana', email: 'ana@old-cards.example' },
    { id: bo, name: 'Bo', phone: '+44 7700 900987' },
  ];
  await writeFile(`${folder.path}/people.json`, JSON.stringify({ customers }));
  await run('apply', `${folder.path}/people.json`);
});
afterAll(async () => {
  await database?.end();
  await folder[Symbol.asyncDispose]();
});

const run = (...args: readonly string[]) => runCorner(environment.system, args);
async function importing(lines: readonly string[], ...options: readonly string[]) {
  const file = `${folder.path}/${randomUUID()}.csv`;
  await writeFile(file, ['store,customer,stamps,vouchers,id', ...lines].join('\r\n'));
  return await run('import-stamps', file, ...options);
}
const stamps = async () =>
  (await database.query('select count(*)::int as count from loyalty.stamp where customer_id = any($1)', [[ana, bo]])).rows[0].count;

test('a file with faults is not imported: each line with one is named, with its field', async () => {
  const { code: exit, errors } = await importing([`${code},ana@old-cards.example,2`, `${code},ana@old-cards.example,many`, `${code},,1`]);
  expect([exit, errors]).toEqual([1, expect.stringMatching(/line 3: stamps .*\n.*line 4: customer /)]);
  const unknown = await importing([`${code},ana@old-cards.example,2`, 'NOWHERE,unknown@old-cards.example,1', `${code},${ana},1`]);
  expect(unknown.errors).toMatch(/line 3: store is no store.*\n.*line 3: customer is no customer/);
  const twice = await importing([`${code},ana@old-cards.example,2`, `${code},${ana},1`]);
  expect(twice.errors).toMatch(/line 3: customer is that of line 2/);
  expect(await stamps()).toBe(0);
});

test('a dry run lists what would be done; then the file is imported, and once more adds nothing', async () => {
  const lines = [`${code},ana@old-cards.example,2,,`, `${code},"+44 7700 900987",1,,`, `${code},${ana},1,,"paper, old"`];
  const planned = await importing(lines, '--dry-run');
  expect(planned.output).toMatch(new RegExp(`line 2: customer ${ana} at store .*: 2 stamps.*\n.*line 3: customer ${bo}`));
  expect(await stamps()).toBe(0);
  const done = await importing(lines, '--by', 'ada');
  expect([done.code, done.output]).toEqual([0, expect.stringMatching(/3 lines with 4 stamps imported, 0 were imported before/)]);
  expect((await importing(lines)).output).toMatch(/0 lines with 0 stamps imported, 3 were imported before/);
  expect(await stamps()).toBe(4);
  const { rows } = await database.query("select by_name from loyalty.log_entry where kind = 'imported' and customer_id = $1", [bo]);
  expect(rows).toEqual([{ by_name: 'ada' }]);
});
