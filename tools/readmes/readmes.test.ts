import { readFileSync } from 'node:fs';
import { operations, rpcsOf, services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { readDocuments } from '../walls/read-files.ts';
import { entryPointsOf, readmeOf, withEntryPoints } from './entry-points.ts';

test.each(services)('the README of %s lists its entry points as they are (`npm run specs` writes them)', async (service) => {
  const readme = readFileSync(readmeOf(service), 'utf8');
  expect(readme).toBe(await withEntryPoints(readme, service));
  expect(readme).toMatch(/^- \*\*operations\*\* `\w+`.*\n(?:.*\n)*- \*\*publishes\*\* `[\w.]+`/m);
});

test.each(services)('every RPC that %s serves is among those that releases are compared by', async (service) => {
  const { rpcHandlers } = await entryPointsOf(service);
  const compared = rpcsOf(service).map(({ name }) => name);
  expect(compared).toEqual(expect.arrayContaining(Object.values(rpcHandlers).map(({ rpc }) => rpc.name)));
});

test('two examples never share an idempotency key: the second would be refused with IDEMPOTENCY_KEY_REUSED', () => {
  const key = /idempotency[_-]key\W+([0-9a-f]{8}-[0-9a-f-]{27})/gi;
  const inDocuments = [...readDocuments()].map(([file, text]) => ({ file, text }));
  const inContracts = operations.map(({ name, example }) => ({ file: name, text: JSON.stringify(example) }));
  const keys = [...inDocuments, ...inContracts].flatMap(({ file, text }) =>
    [...text.matchAll(key)].map(([, found]) => `${found} in ${file}`),
  );
  expect(keys.length).toBeGreaterThan(1);
  const repeated = keys.filter((found, at) => keys.findIndex((other) => other.slice(0, 36) === found.slice(0, 36)) !== at);
  expect(repeated).toEqual([]);
});
