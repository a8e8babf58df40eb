import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { operations } from '@corner/contracts';
import { codeSamples } from '@corner/contracts/specs/code-samples.ts';
import { demoTokens, stores } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { pay } from '../testing/order-scenario.ts';
import { programEnvironment } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const run = promisify(execFile);
let environment: TestEnvironment;
let tokens: Awaited<ReturnType<typeof demoTokens>>;

beforeAll(async () => {
  environment = await sharedEnvironment();
  tokens = await demoTokens(environment.system.tokens);
});

const programs: Readonly<Record<string, (source: string) => readonly [program: string, args: string[]]>> = {
  curl: (source) => [
    'bash',
    [
      '-c',
      source
        .replaceAll('node -p', `"${process.execPath}" -p`)
        .replaceAll('curl ', 'curl -sS ')
        .replace(/^curl .*-N/, 'exec $&'),
    ],
  ],
  TypeScript: (source) => [process.execPath, ['--input-type=module-typescript', '--eval', source]],
  Python: (source) => ['python3', ['-c', source]],
};
const isThere: Readonly<Record<string, boolean>> = {
  curl: spawnSync('curl', ['--version']).status === 0,
  TypeScript: true,
  Python: spawnSync('python3', ['--version']).status === 0,
};

function start(operationId: string, label: string, token: string, others: Readonly<Record<string, string>> = {}) {
  const contract = operations.find(({ name }) => name === operationId);
  const sample = contract && codeSamples(contract).find((one) => one.label === label);
  const replaced = { 'http://localhost:4000': environment.system.gatewayUrl, ...others };
  const source = Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), sample?.source ?? '');
  const [program, args] = programs[label.replace(streaming, '')]?.(source) ?? ['false', []];
  const env = { ...programEnvironment, TOKEN: token };
  return run(program, args, { cwd: `${checkout}/packages/e2e`, env });
}
const streaming = ', as a stream';

const outputOf = async (...sample: Parameters<typeof start>): Promise<string> => (await start(...sample)).stdout;

test.each(Object.keys(programs).filter((label) => isThere[label]))('the samples in %s run as they are', async (label) => {
  const first = await outputOf('createOrder', label, tokens.ana);
  const second = await outputOf('createOrder', label, tokens.ana);
  const [orderId, intentId] = [valueIn(second, 'order_id'), valueIn(second, 'payment_intent_id')];
  expect(valueIn(first, 'order_id')).not.toBe(orderId);
  await pay(environment.system, environment.history, intentId);
  await outputOf('confirmOrder', label, tokens.ana, { [exampleOf('confirmOrder', 'payment_intent_id')]: intentId });
  const ids = { [exampleOf('advanceFulfilment', 'orderId')]: orderId };
  expect(valueIn(await outputOf('advanceFulfilment', label, tokens.bo, ids), 'fulfilment_status')).toBe('preparing');
  expect(valueIn(await outputOf('orderLog', label, tokens.bo, ids), 'title')).toMatch(/\w/);
  const entryId = valueIn(await outputOf('joinQueue', label, ''), 'entry_id');
  expect(entryId).toMatch(/^[0-9a-f-]{36}$/);
  await outputOf('leaveQueue', label, '', { [exampleOf('leaveQueue', 'entry_id')]: entryId });
});

test.each(Object.keys(programs).filter((label) => isThere[label]))(
  'the samples of streams in %s print each state as it comes',
  async (label) => {
    const orderId = valueIn(await outputOf('createOrder', label, tokens.ana), 'order_id');
    const following = start('getMyOrder', label + streaming, tokens.ana, { [exampleOf('getMyOrder', 'orderId')]: orderId });
    const ended = following.catch((stopped: unknown) => stopped);
    let printed = '';
    following.child.stdout?.on('data', (text: string) => (printed += text));
    await until(() => printed.includes('pending_payment'), { describe: 'the first state' });
    const body = JSON.stringify({ store_id: stores.coffee.id, status: 'cancelled' });
    const headers = { authorization: `Bearer ${tokens.bo}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    await fetch(`${environment.system.gatewayUrl}/api/v1/orders/${orderId}/status`, { method: 'PATCH', headers, body });
    await until(() => printed.includes('cancelled'), { describe: 'the next state' });
    following.child.kill();
    await ended;
  },
);

function valueIn(output: string, field: string): string {
  const value = new RegExp(`['"]?\\b${field}['"]?: ?['"]([^'"]+)['"]`).exec(output)?.[1];
  if (value === undefined) throw new Error(`${field} is not in ${output}`);
  return value;
}

function exampleOf(name: string, field: string): string {
  const { params, body } = operations.find((one) => one.name === name)?.example ?? {};
  return String({ ...params, ...(body as object) }[field as never]);
}

test('every operation has a sample in each language, and none repeats the key of another run', () => {
  for (const operation of operations) {
    const labels = Object.keys(programs);
    const streams = operation.live ? labels.map((label) => label + streaming) : [];
    expect(codeSamples(operation).map(({ label }) => label)).toEqual([...labels, ...streams]);
    for (const { source } of codeSamples(operation)) expect(source).not.toMatch(/idempotency_key["']?: ["'][0-9a-f]{8}-/);
  }
});
