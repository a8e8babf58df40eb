import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../../testing/running.ts';
import { preferencesClient } from '../testing/preferences-client.ts';

let running: Running;
const { store, customer } = preferencesClient(() => running);

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** Counts the statements that a request takes. */
async function statementsOf(send: () => Promise<unknown>): Promise<number> {
  running.statements.length = 0;
  await send();
  return running.statements.length;
}

test('an update of preferences takes five statements, three when nothing changes, and reading them one', async () => {
  const [ada, storeId] = [customer(), await store()];
  expect(await statementsOf(() => ada.update(storeId, { messagesMuted: true }))).toBe(5);
  expect(await statementsOf(() => ada.update(storeId, { messagesMuted: true }))).toBe(3);
  expect(await statementsOf(() => ada.preferences())).toBe(1);
});
