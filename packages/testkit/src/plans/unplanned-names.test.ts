import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { testFolder } from '../test-run.ts';
import { unplannedNames } from './unplanned-names.ts';

test('a prepared statement that no test has planned is named; one of the chassis is planned by any service', async () => {
  await using folder = await testFolder();
  const write = async (path: string, text: string) => {
    await mkdir(`${folder.path}/${path}/src/tables`, { recursive: true });
    await writeFile(`${folder.path}/${path}/src/tables/one.ts`, text);
  };
  await write('services/orders', "sql.prepared('find-order', Row)`…`; sql.prepared(quota ? 'lock-both' : 'lock-one', Row)`…`");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source has a template.
  await write('services/loyalty', "sql.prepared(`store-by-${by}`, Row)`…`; sql.prepared('find-order', Row)`…`");
  await write('packages/chassis', "sql.prepared('publish', none)`…`; sql.prepared('record', none)`…`");
  await writeFile(`${folder.path}/services/orders/src/tables/one.test.ts`, "sql.prepared('of-a-test', none)`…`");
  const planned = ['orders find-order 1a', 'orders lock-one 2b', 'loyalty store-by-code 3c', 'loyalty publish 4d'];
  expect(await unplannedNames(planned, folder.path)).toEqual(['loyalty find-order', 'orders lock-both', 'chassis record']);
});
