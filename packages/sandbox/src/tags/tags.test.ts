import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { startMessages } from '../messages/start-messages.ts';
import { openTags } from './open-tags.ts';
import { tapTag } from './tap-tag.ts';

const uid = '04C0FFEE000001';
const own = { NFC_KEYS: JSON.stringify({ '1': { meta: '11'.repeat(16), master: '12'.repeat(16) } }) };
const macOf = (counter: number): string => tapTag(uid, counter, own).nfc_cmac;

test('a tag counts on, tapped by the command, the simulator, or the simulator that was started again', async () => {
  await using folder = await testFolder();
  const byHand = openTags(folder.path, own);
  const tap = async (url: string, body: object) => {
    const response = await fetch(`${url}/_sim/tap`, { method: 'POST', body: JSON.stringify({ store: 's1', ...body }) });
    return (await response.json()) as { nfc_cmac: string; error?: { message: string } };
  };
  const macs: string[] = [];
  {
    await using messages = await startMessages({ folder: folder.path, env: own });
    macs.push((await tap(messages.url, {})).nfc_cmac, byHand.tap(uid).nfc_cmac, (await tap(messages.url, {})).nfc_cmac);
    expect((await tap(messages.url, { replay: true })).nfc_cmac).toBe(macOf(3));
    expect(byHand.tap(uid, { replay: true }).nfc_cmac).toBe(macOf(3));
    expect((await tap(messages.url, { store: 'S9' })).error?.message).toContain('no store of the demo has the code S9');
  }
  await using messages = await startMessages({ folder: folder.path, env: own });
  macs.push((await tap(messages.url, {})).nfc_cmac);
  expect(macs).toEqual([1, 2, 3, 4].map(macOf));
});
