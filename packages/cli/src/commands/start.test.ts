import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { identityOf, isFree, people, type RunFile, readLedger, readRunFile, runFileIn } from '@corner/sandbox';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const corner = `${import.meta.dirname}/../main.ts`;
const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...env } = process.env;

let folder: Awaited<ReturnType<typeof testFolder>>;
let inTheWay: Server;
let system: ChildProcess;
let printed: Promise<string>;
let run: RunFile;

/** Runs a command to its end. */
function said(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [corner, ...args, '--data', folder.path], { env }, (error, output, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
    });
  });
}

beforeAll(async () => {
  folder = await testFolder();
  // Somebody has the gateway's port; where somebody else has it already, that serves as well.
  inTheWay = createServer();
  if (await isFree(4000)) await once(inTheWay.listen(4000, '127.0.0.1'), 'listening');
  system = spawn(process.execPath, [corner, 'start', '--json', '--data', folder.path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  printed = text(system.stdout as NodeJS.ReadableStream);
  for (;;) {
    const described = readRunFile(runFileIn(folder.path));
    if (described) {
      run = described;
      return;
    }
    if (system.exitCode !== null) throw new Error(`corner start ended: ${await printed}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

afterAll(async () => {
  if (system.exitCode === null) {
    system.kill('SIGTERM');
    await once(system, 'exit');
  }
  inTheWay.close();
  await folder[Symbol.asyncDispose]();
});

test('a taken port moves, and the new one is the one described and served', async () => {
  const { port } = new URL(run.gateway);
  expect(port).not.toBe('4000');
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

test('the description names every process, store and customer, and holds no secret of the system', async () => {
  expect(Object.keys(run.services).sort()).toEqual(['gateway', 'loyalty', 'notifications', 'orders', 'queue']);
  expect(run.stores.map(({ code }) => code)).toEqual(['S1', 'S2']);
  expect(run.customers).toHaveLength(5);
  expect(run.customers[0]).toMatchObject({ name: 'Ana', addresses: [...people.ana.addresses] });
  expect(JSON.stringify(run)).not.toMatch(/whsec_|"d":/);
});

test('the inbox of messages is open, and empty', async () => {
  expect(await (await fetch(`${run.messages}/inbox.json`)).json()).toEqual([]);
});

test('status says that all is well, by its exit code too', async () => {
  const { code, output } = await said('status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ running: true, ready: true, gateway: run.gateway });
});

test('a printed token is taken, and a request without one is not', async () => {
  const state = `${run.gateway}/api/v1/loyalty/customer-state?store_id=${run.stores[0]?.id}&customer_id=${run.customers[0]?.id}`;
  const withToken = await fetch(state, { headers: { Authorization: `Bearer ${run.tokens.bo}` } });
  expect(withToken.status).toBe(200);
  expect((await fetch(state)).status).toBe(401);
});

test('a second start says that one runs, and how to end it', async () => {
  const { code, errors } = await said('start');
  expect(code).toBe(1);
  expect(errors).toContain('corner runs here already');
  expect(errors).toContain('npx corner stop');
});

test('reset refuses while it runs', async () => {
  const { code, errors } = await said('reset');
  expect(code).toBe(1);
  expect(errors).toContain('nothing was deleted');
});

test('a killed service comes back, and the description follows it', async () => {
  const before = run.services.queue?.pid ?? 0;
  process.kill(before, 'SIGKILL');
  let now = before;
  while (now === before) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    now = readRunFile(runFileIn(folder.path))?.services.queue?.pid ?? before;
  }
  expect((await fetch(`${run.services.queue?.url}/readyz`)).status).toBe(200);
});

test('stop ends everything that was started', async () => {
  const pids = Object.values(readLedger(folder.path)?.processes ?? {}).map(({ pid }) => pid);
  expect(pids.length).toBe(9);
  const ended = once(system, 'exit');
  const { code } = await said('stop');
  expect(code).toBe(0);
  expect(await ended).toEqual([0, null]);
  expect(pids.filter((pid) => identityOf(pid) !== null)).toEqual([]);
  expect(readRunFile(runFileIn(folder.path))).toBeNull();
  expect(JSON.parse(await printed)).toMatchObject({ gateway: run.gateway, stores: run.stores });
  const { code: after } = await said('status');
  expect(after).toBe(1);
});
