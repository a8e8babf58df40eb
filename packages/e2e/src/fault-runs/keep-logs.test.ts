import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { keepLogs } from './run-all.ts';

test('the logs of a run stay, without those of an earlier run and without data', async () => {
  await using folder = await testFolder();
  const [from, kept] = [`${folder.path}/platform`, `${folder.path}/kept`];
  for (const path of [`${from}/system/log`, `${from}/cluster/n1`, kept]) await mkdir(path, { recursive: true });
  await writeFile(`${kept}/old.log`, 'old');
  await writeFile(`${from}/system/log/orders.log`, 'a line');
  await writeFile(`${from}/cluster/n1/nats.log`, 'another');
  await writeFile(`${from}/cluster/n1/key.pem`, 'a key');
  await keepLogs(from, kept);
  expect(await readFile(`${kept}/system/log/orders.log`, 'utf8')).toBe('a line');
  expect(await readFile(`${kept}/cluster/n1/nats.log`, 'utf8')).toBe('another');
  for (const path of ['old.log', 'cluster/n1/key.pem']) await expect(readFile(`${kept}/${path}`)).rejects.toThrow('ENOENT');
});
