import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningMessages, startMessages } from './start-messages.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;
const phone = '+447700900123';

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: folder.path, now: () => new Date('2026-03-04T05:06:07Z') });
});
afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});
beforeEach(() => {
  messages.controls.empty();
  messages.controls.clearFaults();
});

async function call(path: string, init: RequestInit = {}, password?: string) {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_API_BASE: base } = messages.environment;
  const credentials = Buffer.from(`${sid}:${password ?? token}`).toString('base64');
  const response = await fetch(`${base}/2010-04-01/Accounts/${sid}/Messages${path}`, {
    ...init,
    headers: { authorization: `Basic ${credentials}` },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read the body as a client would
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
const send = (form: Record<string, string> = {}, password?: string) => {
  const body = new URLSearchParams({ To: phone, From: messages.environment.TWILIO_FROM ?? '', Body: 'It is your turn.', ...form });
  return call('.json', { method: 'POST', body }, password);
};

test('an accepted text is queued, is in the inbox, and is delivered when it is read again, alone or in the list', async () => {
  const { status, body } = await send();
  expect(status).toBe(201);
  expect(body).toMatchObject({ to: phone, body: 'It is your turn.', status: 'queued', date_created: 'Wed, 04 Mar 2026 05:06:07 +0000' });
  expect(messages.inbox.to(phone)).toEqual([expect.objectContaining({ channel: 'sms', by: 'twilio', text: 'It is your turn.' })]);
  expect((await call(`/${body.sid}.json`)).body).toMatchObject({ sid: body.sid, status: 'delivered' });
  const { body: list } = await call(`.json?To=${encodeURIComponent(phone)}`);
  expect(list.messages.map(({ sid }: { sid: string }) => sid)).toContain(body.sid);
  expect((await call('.json?To=%2B447700900999')).body.messages).toEqual([]);
  expect(await (await fetch(messages.url)).text()).toContain('It is your turn.');
});

test('the same request twice is two texts, because Twilio has no idempotency key', async () => {
  await send();
  await send();
  expect(messages.inbox.to(phone)).toHaveLength(2);
});

describe('a text is refused', () => {
  test.each([
    ['to a number that is none', { To: '07700 900123' }, 21211],
    ['to a number that opted out', { To: '+15005550004' }, 21610],
    ['to a region that is not allowed', { To: '+15005550003' }, 21408],
    ['to a landline', { To: '+15005550009' }, 21614],
    ['from a number of another account', { From: '+447700900555' }, 21606],
    ['without a text', { Body: '' }, 21602],
    ['that is too long', { Body: 'x'.repeat(1_601) }, 21617],
  ])('%s', async (_, form, code) => {
    expect(await send(form)).toMatchObject({ status: 400, body: { code, status: 400 } });
    expect(messages.inbox.all()).toEqual([]);
  });

  test('with a wrong token', async () => {
    expect(await send({}, 'another')).toMatchObject({ status: 401, body: { code: 20003 } });
  });

  test('when a fault says so', async () => {
    messages.controls.fail({ at: 'twilio', how: 'too_many', retryAfterSeconds: 7 });
    messages.controls.fail({ at: 'twilio', how: 'unavailable' });
    messages.controls.fail({ at: 'twilio', how: 'hang_up' });
    messages.controls.fail({ at: 'twilio', how: 'hang_up_after' });
    const limited = await send();
    expect([limited.status, limited.body.code, limited.headers.get('retry-after')]).toEqual([429, 20429, '7']);
    expect((await send()).status).toBe(503);
    await expect(send()).rejects.toThrow('fetch failed');
    expect(messages.inbox.all()).toEqual([]);
    await expect(send()).rejects.toThrow('fetch failed');
    expect(messages.inbox.to(phone)).toHaveLength(1);
  });
});
