// covers: answerMarketingOptIn, upsertPreferences, listPreferences
import { randomUUID } from 'node:crypto';
import { erasedEvent, erasureBy, exportedBy } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { signUnsubscription } from '../crypto.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { preferencesClient } from './testing/preferences-client.ts';

const secret = 'a-development-secret-of-unsubscribe-links';
let running: Running;
const { store, customer, published, recordOf } = preferencesClient(() => running);

beforeAll(async () => {
  running = await startRunning(
    {},
    {
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'no-reply@corner.example.com',
      PUBLIC_BASE_URL: 'https://corner.example.com',
      UNSUBSCRIBE_SECRETS: secret,
    },
  );
});
afterAll(async () => await running[Symbol.asyncDispose]());

const shown = { text: 'May Corner Coffee send you news and offers?', locale: 'en' };
const besideSwitch = { text: 'Nouveautés et offres', locale: 'fr' };
const noText = { wording: null, locale: null };

const unsubscribe = async (customerId: string, storeId: string) => {
  const token = signUnsubscription({ customerId, storeId, toggle: 'marketingEnabled', consent: 2 }, secret);
  return (await fetch(`${running.service.url}/unsubscribe/${token}`, { method: 'POST' })).status;
};

test('each answer is a row with its moment, its way and the text that was shown; the customer reads the last, an export has all', async () => {
  const [ada, storeId] = [customer(), await store()];
  await ada.answer(storeId, false, shown);
  await ada.answer(storeId, true);
  expect(await unsubscribe(ada.sub, storeId)).toBe(200);
  await ada.update(storeId, { marketingEnabled: true, shown: besideSwitch, stampEventsEnabled: false });
  await ada.update(storeId, { marketingEnabled: true, shown });
  await ada.update(storeId, { stampEventsEnabled: true, shown });
  await ada.answer(storeId, true, shown);

  const of = { text: (wording: typeof shown) => ({ wording: wording.text, locale: wording.locale }) };
  const rows = [
    { sequence: 1, accepted: false, way: 'question', ...of.text(shown), ask: 1 },
    { sequence: 2, accepted: true, way: 'api', ...noText, ask: 2 },
    { sequence: 3, accepted: false, way: 'unsubscribe', ...noText, ask: null },
    { sequence: 4, accepted: true, way: 'preferences', ...of.text(besideSwitch), ask: null },
  ];
  expect(await recordOf(ada.sub)).toEqual(rows);
  const [row] = await ada.preferences();
  expect(row.marketingAnswer).toEqual({ accepted: true, at: expect.any(String), way: 'preferences', shown: besideSwitch });
  const exported = (await exportedBy(running, 'notifications', ada.sub))['answers about marketing'];
  expect(exported).toEqual(rows.map(({ sequence, ...answer }) => ({ ...answer, store_id: storeId, at: expect.any(String) })));
  expect(JSON.stringify(await published(ada.sub))).not.toContain(shown.text);
});

test('an app that showed nothing is known to have shown nothing, and a text without its language is refused', async () => {
  const [ada, storeId] = [customer(), await store()];
  for (const wrong of [
    { text: 'Yes?' },
    { text: ' ', locale: 'en' },
    { text: 'x'.repeat(1001), locale: 'en' },
    { text: 'Yes?', locale: 'e n' },
  ])
    expect((await ada.answer(storeId, true, wrong)).body.error.code).toBe('VALIDATION_FAILED');
  await ada.update(storeId, { marketingEnabled: true });
  expect(await recordOf(ada.sub)).toEqual([{ sequence: 1, accepted: true, way: 'api', ...noText, ask: null }]);
});

test('twenty concurrent answers are two asks in the record, each once', async () => {
  const [ada, storeId] = [customer(), await store()];
  await Promise.all(Array.from({ length: 20 }, (_, n) => ada.answer(storeId, n % 2 === 0, shown)));
  const asks = (await recordOf(ada.sub)).flatMap(({ ask }) => ask ?? []);
  expect(asks).toEqual([1, 2]);
  const answered = (await published(ada.sub)).filter(({ type }) => type === 'marketing.answered');
  expect(answered.map(({ data }) => data.accepted)).toEqual((await recordOf(ada.sub)).map(({ accepted }) => accepted));
});

const insert = (customerId: string, storeId: string, sequence: number, ask: number | null) =>
  running.service.database.query(sql.type(z.object({}))`
    insert into consent (customer_id, store_id, sequence, at, accepted, way, ask)
    values (${customerId}, ${storeId}, ${sequence}, now(), false, 'api', ${ask})`);

test('an answer that cannot be recorded changes nothing and publishes nothing', async () => {
  const [ada, storeId] = [customer(), await store()];
  await insert(ada.sub, storeId, 1, null);
  expect((await ada.answer(storeId, true, shown)).status).toBe(500);
  expect((await ada.update(storeId, { marketingEnabled: true })).status).toBe(500);
  expect([await ada.preferences(), await published(ada.sub)]).toEqual([[], []]);
});

test('the database takes no third ask, no ask twice, and changes no row', async () => {
  const [customerId, storeId] = [randomUUID(), await store()];
  await insert(customerId, storeId, 1, 1);
  await expect(insert(customerId, storeId, 2, 1)).rejects.toThrow();
  await expect(insert(customerId, storeId, 3, 3)).rejects.toThrow();
  await expect(
    running.service.database.query(sql.type(z.object({}))`update consent set accepted = true where customer_id = ${customerId}`),
  ).rejects.toThrow();
  expect(await recordOf(customerId)).toEqual([{ sequence: 1, accepted: false, way: 'api', ...noText, ask: 1 }]);
});

test('the record goes with the customer, and none begins again', async () => {
  const [ada, storeId] = [customer(), await store()];
  await ada.answer(storeId, true, shown);
  await running.consume(erasedEvent(ada.sub));
  expect(await erasureBy(running, 'notifications', ada.sub)).toMatchObject({
    steps: ['3 rows of preferences and consent were deleted.'],
  });
  expect(await recordOf(ada.sub)).toEqual([]);
  await expect(insert(ada.sub, storeId, 9, null)).rejects.toThrow();
  expect((await ada.answer(storeId, true, shown)).status).toBe(401);
  expect((await ada.update(storeId, { marketingEnabled: true })).status).toBe(401);
  expect(await unsubscribe(ada.sub, storeId)).toBe(404);
});
