import { randomUUID } from 'node:crypto';
import { people } from '@corner/sandbox/demo';
import type { Message, MessageControls } from '@corner/sandbox/messages';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { openStoreLike, publishDirectory } from '../testing/own-store.ts';
import { runCorner } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let store_id: string;
const customer = {
  id: randomUUID(),
  name: 'Ottoline',
  email: `${randomUUID()}@example.com`,
  phone: '+447700900655',
  device: `phone-${randomUUID()}`,
};
const addresses = [customer.email, customer.device];

beforeAll(async () => {
  environment = await sharedEnvironment();
  ({ id: store_id } = await openStoreLike('cuts', environment.system, { called_hold_minutes: 30 }));
  const { device, ...known } = customer;
  await publishDirectory(environment.system, { customers: [{ ...known, push_devices: [{ id: device, platform: 'android' }] }] });
});

const run = (...args: readonly string[]) => runCorner(environment.system, args);
const parsed = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).output);
const open = async () => (await parsed('dead-letters', 'list', '--service', 'notifications')).dead_letters;

function post(path: string, token: string, body: object): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const send = async () => {
    const response = await fetch(`${environment.system.gatewayUrl}/api/v1/queue/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  return until(send, { describe: path });
}
const refuse = async (...faults: readonly Pick<Parameters<MessageControls['fail']>[0], 'at' | 'to' | 'times'>[]): Promise<void> => {
  for (const fault of faults)
    await fetch(`${environment.system.messagesUrl}/_sim/fail`, { method: 'POST', body: JSON.stringify({ ...fault, how: 'refused' }) });
};
const received = async (): Promise<readonly Message[]> => {
  const to = addresses.map((address) => `to=${encodeURIComponent(address)}`).join('&');
  return (await (await fetch(`${environment.system.messagesUrl}/inbox.json?${to}`)).json()) as Message[];
};
const calls = async () => (await received()).filter(({ title }) => title === 'It is your turn');
const openByMetric = async () => {
  const metrics = await (await fetch(`${environment.system.services.notifications.url}/metrics`)).text();
  return /^corner_dead_letters_open(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1];
};

async function join() {
  const { tokens } = environment.system;
  const [ofCustomer, ofStaff] = await Promise.all([
    tokens.token({ typ: 'customer', sub: customer.id }),
    tokens.token({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store_id] }),
  ]);
  const { entry_id } = await post('join', ofCustomer, { store_id });
  return (move: string) => post(`entries/${entry_id}/${move}`, ofStaff, { store_id });
}

test('a message that could not be sent is a dead letter: listed, shown without personal data, and sent once by a retry', async () => {
  await refuse({ at: 'fcm', to: customer.device });
  await refuse({ at: 'twilio', to: customer.phone, times: 3 }, { at: 'smtp', to: customer.email, times: 2 });
  const move = await join();
  await move('call');
  const [deadLetter] = await until(async () => ((await open()).length > 0 ? await open() : null), {
    describe: 'the dead letter of the message',
  });
  expect(deadLetter).toMatchObject({ service: 'notifications', type: 'message', attempts: 1, error: 'smtp 550' });
  expect(deadLetter.aggregate_id).toMatch(/^queue:/);
  expect(await openByMetric()).toBe('1');

  const id: string = deadLetter.event_id;
  const shown = await run('dead-letters', 'show', id);
  expect(shown.output).toMatch(/envelope\.template +queue\.called/);
  const [{ payload }] = await parsed('dead-letters', 'show', id, '--payload');
  expect(JSON.parse(payload)).toMatchObject({ template: 'queue.called', channel: 'push', store_id });
  for (const output of [shown.output, payload, (await run('dead-letters', 'list')).output])
    for (const hidden of [customer.name, ...addresses]) expect(output).not.toContain(hidden);

  // The SMTP fault remains, so the retry ends as the same dead letter with one more attempt.
  expect(await parsed('dead-letters', 'retry', id, '--by', 'cy')).toMatchObject([{ event_id: id, outcome: 'retried' }]);
  const again = await until(async () => ((await open())[0]?.attempts === 2 ? await open() : null), {
    describe: 'the second attempt to fail',
  });
  expect(again).toMatchObject([{ event_id: id, settled_as: null, settled_by: null }]);
  expect(await received()).toEqual([]);

  const both = await Promise.all(
    ['cy', 'dee'].map((by) => run('dead-letters', 'retry', '--type', 'message', '--yes', '--json', '--by', by)),
  );
  const outcomes = both.flatMap(({ output }) => JSON.parse(output) as { outcome: string }[]).map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'retried')).toHaveLength(1);
  await until(async () => (await received()).length > 0, { describe: 'the message' });
  expect(await openByMetric()).toBe('0');
  expect(await received()).toMatchObject([{ channel: 'email', title: 'It is your turn' }]);
  expect((await parsed('dead-letters', 'list', '--all', '--service', 'notifications')).dead_letters).toContainEqual(
    expect.objectContaining({ event_id: id, settled_as: 'retried', settled_by: expect.stringMatching(/^(cy|dee)$/) }),
  );
  const explained = await run('explain', id);
  expect(explained.output).toMatch(/gave up \w+ after 2 attempts and wrote a dead letter: smtp 550[\s\S]*retried by (cy|dee)/);
  expect(explained.output).toMatch(/The message \(queue\.called\) to customer \S+ was sent/);
  await move('assign');
  await move('complete');
  await until(async () => (await received()).length > (await calls()).length, { describe: 'the message of the stamp' });
});

test('a discarded message keeps the reason on record and cannot be retried', async () => {
  const before = (await calls()).length;
  await refuse({ at: 'twilio', to: customer.phone }, { at: 'smtp', to: customer.email });
  await (await join())('call');
  const [deadLetter] = await until(async () => ((await open()).length > 0 ? await open() : null), {
    describe: 'the dead letter of the message',
  });
  const id: string = deadLetter.event_id;
  expect((await run('dead-letters', 'discard', id, '--reason', 'she was informed in person', '--by', 'cy')).code).toBe(0);
  expect(await open()).toEqual([]);
  expect((await run('dead-letters', 'retry', id)).code).toBe(1);
  expect((await parsed('dead-letters', 'list', '--all', '--service', 'notifications')).dead_letters).toContainEqual(
    expect.objectContaining({ event_id: id, settled_as: 'discarded', settled_by: 'cy', settled_reason: 'she was informed in person' }),
  );
  expect(await calls()).toHaveLength(before);
});
