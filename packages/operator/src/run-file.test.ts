import { statSync } from 'node:fs';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { type RunFile, readRunFile, removeRunFile, runFileIn, writeRunFile } from './run-file.ts';

const run: RunFile = {
  gateway: 'http://localhost:4000',
  docs: 'http://localhost:4000/docs',
  console: 'http://localhost:4005',
  shop: 'http://localhost:4007',
  payments: 'http://127.0.0.1:4242',
  messages: 'http://127.0.0.1:4244',
  issuer: 'http://127.0.0.1:4243',
  postgres: 'postgres://postgres:secret@127.0.0.1:5433/corner',
  nats: 'nats://127.0.0.1:4223',
  services: { orders: { url: 'http://127.0.0.1:4001', pid: 17 } },
  tokens: { ana: 'a.b.c', bo: 'd.e.f', cy: 'g.h.i' },
  stores: [{ id: '0190a000-0000-7000-8000-000000000001', code: 'S1', name: 'Corner Coffee' }],
  customers: [{ id: '0190a000-0000-7000-8000-0000000000a1', name: 'Ana', addresses: ['ana@example.com'] }],
};

test('the description is read back as it was written, and only its owner may read it', async () => {
  await using folder = await testFolder();
  writeRunFile(folder.path, run);
  expect(readRunFile(runFileIn(folder.path))).toEqual(run);
  expect(statSync(runFileIn(folder.path)).mode & 0o077).toBe(0);
  removeRunFile(folder.path);
  expect(readRunFile(runFileIn(folder.path))).toBeNull();
});

test('a description that lacks a part is rejected', async () => {
  await using folder = await testFolder();
  const { tokens: _, ...lacking } = run;
  expect(() => writeRunFile(folder.path, lacking as RunFile)).toThrow();
});
