import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { simulateChip } from '@corner/sandbox/tags';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStore, openStoreLike } from '../testing/own-store.ts';
import { runCorner } from '../testing/run-corner.ts';
import { simulateReader } from '../testing/simulated-reader.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const key = () => randomBytes(16).toString('hex');
const NFC_KEYS = JSON.stringify({ '7': { meta: key(), master: key() } });

let folder: Awaited<ReturnType<typeof testFolder>>;
let reader: Awaited<ReturnType<typeof simulateReader>>;
let environment: TestEnvironment;
let store: OwnStore;

beforeAll(async () => {
  folder = await testFolder();
  reader = await simulateReader(folder.path);
  environment = await sharedEnvironment();
  store = await openStoreLike('coffee', environment.system);
  await environment.system.services.loyalty.restart({ env: { NFC_KEYS } });
});
afterAll(async () => {
  await environment?.system.services.loyalty.restart();
  await reader?.[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const uid = '04C0FFEE0000AA';
const corner = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runCorner(environment.system, args, { NFC_KEYS, PCSCLITE_CSOCK_NAME: reader.path, ...more });
const tags = (...args: readonly string[]) => corner(['tags', ...args]);
const writing = (...more: readonly string[]) => tags('write', '--url', `https://shop.example/t?store=${store.code}`, ...more);

async function redeem(read: string): Promise<unknown> {
  const at = new URL(read).searchParams;
  const body = {
    store_id: store.id,
    nfc_picc_data: at.get('picc_data'),
    nfc_cmac: at.get('cmac'),
    nfc_key_version: at.get('key_version'),
  };
  const { tokens, gatewayUrl } = environment.system;
  const customer = await tokens.token({ typ: 'customer', sub: crypto.randomUUID() });
  const response = await fetch(`${gatewayUrl}/api/v1/loyalty/stamp-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), authorization: `Bearer ${customer}` },
    body: JSON.stringify(body),
  });
  return await response.json();
}

test('a tag that is written and entered is accepted through the gateway once a tap, by the keys of the loyalty service', async () => {
  const chip = simulateChip(uid);
  reader.lay(chip);
  const written = await writing('--json');
  expect(written).toMatchObject({ code: 0, errors: '' });
  const entry = JSON.parse(written.output);
  expect(entry).toEqual({ uid, key_version: '7' });
  const early = chip.tap() ?? '';
  expect(await redeem(early)).toMatchObject({ error: { code: 'NFC_PROOF_INVALID' } });
  await writeFile(`${folder.path}/file.json`, JSON.stringify({ programmes: [{ store_id: store.id, tags: [entry] }] }));
  expect(await corner(['apply', `${folder.path}/file.json`])).toMatchObject({ code: 0 });
  const read = chip.tap() ?? '';
  expect(await redeem(read)).toMatchObject({ presence_verified: true });
  expect(await redeem(read)).toMatchObject({ error: { code: 'NFC_TAP_REPLAYED' } });
  expect(await redeem(chip.tap() ?? '')).toMatchObject({ presence_verified: true });
});

test('the commands say what is wrong, and print no key', async () => {
  reader.lay(null);
  const chip = simulateChip('04C0FFEE0000AB');
  const outputs = [await tags('check'), await tags('check', '--reader', 'other'), await writing('--key-version', '8')];
  expect(outputs.map(({ code, errors }) => [code, errors])).toEqual([
    [1, expect.stringMatching(/no tag lies on the reader/)],
    [1, expect.stringMatching(/pcscd knows Simulated reader 00/)],
    [1, expect.stringMatching(/NFC_KEYS has no version 8/)],
  ]);
  reader.lay(chip);
  const done = [await tags('check'), await writing(), await tags('check')];
  expect(done.map(({ code }) => code)).toEqual([1, 0, 0]);
  expect(done[2]?.output).toMatch(/04C0FFEE0000AB is valid: key version 7, tap 2/);
  const secrets = Object.values(JSON.parse(NFC_KEYS)['7']) as string[];
  for (const { output, errors } of [...outputs, ...done])
    for (const secret of secrets) expect((output + errors).toLowerCase()).not.toContain(secret);
  const without = await corner(['tags', 'check'], { NFC_KEYS: '' });
  expect(without.errors).toMatch(/NFC_KEYS is not set/);
  const nowhere = await corner(['tags', 'check'], { PCSCLITE_CSOCK_NAME: `${folder.path}/none` });
  expect(nowhere.errors).toMatch(/none cannot be reached: ENOENT/);
});
