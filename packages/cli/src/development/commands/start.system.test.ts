import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { type RunFile, readRunFile, runFileIn } from '@corner/operator';
import { people } from '@corner/sandbox/demo';
import { isFree } from '@corner/sandbox/servers';
import { checkout, identityOf, readLedger } from '@corner/sandbox/system';
import { testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { runCorner } from '../../testing/run-corner.ts';

const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...environment } = process.env;
let elsewhere: Awaited<ReturnType<typeof testFolder>>;
let env: NodeJS.ProcessEnv;

let folder: Awaited<ReturnType<typeof testFolder>>;
let portHolder: Server;
let system: ChildProcess;
let printed: Promise<string>;
let run: RunFile;

const runHere = (...args: readonly string[]) => runCorner([...args, '--data', folder.path], env);

beforeAll(async () => {
  folder = await testFolder();
  elsewhere = await testFolder();
  for (const name of ['home', 'here']) mkdirSync(`${elsewhere.path}/${name}`);
  env = { ...environment, HOME: `${elsewhere.path}/home`, XDG_CACHE_HOME: undefined };
  portHolder = createServer();
  if (await isFree(4000)) await once(portHolder.listen(4000, '127.0.0.1'), 'listening');
  const words = [`${checkout}/packages/cli/src/main.ts`, 'start', '--from-source', '--json', '--data', folder.path];
  system = spawn(process.execPath, words, { env, cwd: `${elsewhere.path}/here`, stdio: ['ignore', 'pipe', 'inherit'] });
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
  portHolder.close();
  await folder[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

test('the folder of the logs and each log are for their owner only', () => {
  const logs = `${folder.path}/log`;
  const modes = [logs, ...readdirSync(logs).map((file) => `${logs}/${file}`)].map((path) => [path, statSync(path).mode & 0o077]);
  expect(modes.length).toBeGreaterThan(5);
  expect(modes.filter(([, open]) => open !== 0)).toEqual([]);
});

test('a system writes to its own folder: the home and the working directory stay empty', () => {
  expect(readdirSync(elsewhere.path, { recursive: true }).toSorted()).toEqual(['here', 'home']);
});

test('when the preferred port is in use, the gateway serves another port and run.json names it', async () => {
  const { port } = new URL(run.gateway);
  expect(port).not.toBe('4000');
  await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, { describe: 'the gateway to be ready' });
});

test('run.json names every process, store and customer, and holds no secret', async () => {
  expect(Object.keys(run.services).sort()).toEqual([
    'console',
    'directory',
    'gateway',
    'loyalty',
    'notifications',
    'orders',
    'queue',
    'shop',
  ]);
  expect(run.stores.map(({ code }) => code)).toEqual(['S1', 'S2']);
  expect(run.customers).toHaveLength(5);
  expect(run.customers[0]).toMatchObject({ name: 'Ana', addresses: [...people.ana.addresses] });
  expect(JSON.stringify(run)).not.toMatch(/whsec_|"d":/);
});

test('the console serves its pages, and sends a person who signs in to the issuer of this system', async () => {
  const page = await fetch(run.console ?? '');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  const { status, headers } = await fetch(`${run.console}/sign-in`, { redirect: 'manual' });
  expect(status).toBeGreaterThanOrEqual(302);
  expect(headers.get('location')).toContain(`${run.issuer}/authorize?`);
});

test('the inbox of messages is served and empty after the start', async () => {
  expect(await (await fetch(`${run.messages}/inbox.json`)).json()).toEqual([]);
});

test('corner status reports that the system is ready, with exit code 0', async () => {
  const { code, output } = await runHere('status', '--json');
  expect(code).toBe(0);
  const status = JSON.parse(output) as { processes: { name: string; fault: string | null }[] };
  expect(status).toMatchObject({ running: true, ready: true, gateway: run.gateway });
  const around = ['postgres', 'nats', 'payments', 'messages', 'issuer'];
  expect(status.processes.filter(({ name }) => around.includes(name)).map(({ name, fault }) => [name, fault])).toEqual(
    around.map((name) => [name, null]),
  );
});

test('the gateway accepts a token from run.json and returns 401 to a request without one', async () => {
  const state = `${run.gateway}/api/v1/loyalty/customer-state?store_id=${run.stores[0]?.id}&customer_id=${run.customers[0]?.id}`;
  const withToken = await fetch(state, { headers: { Authorization: `Bearer ${run.tokens.bo}` } });
  expect(withToken.status).toBe(200);
  expect((await fetch(state)).status).toBe(401);
});

test('corner run gives a program the live addresses and tokens, and ends with its exit code', async () => {
  const program = `${folder.path}/program.ts`;
  writeFileSync(
    program,
    `const { CORNER, PAYMENTS, ANA, BO = '' } = process.env;
     const state = '/api/v1/loyalty/customer-state?store_id=${run.stores[0]?.id}&customer_id=${run.customers[0]?.id}';
     const { status } = await fetch(CORNER + state, { headers: { Authorization: 'Bearer ' + BO } });
     console.log([CORNER, PAYMENTS, status, typeof ANA, process.argv[2]].join(' ') satisfies string);
     process.exitCode = 7;`,
  );
  const { code, output, errors } = await runHere('run', program, 'word');
  expect({ code, output }).toEqual({ code: 7, output: `${run.gateway} ${run.payments} 200 string word\n` });
  expect(errors).toContain(`corner    ${run.gateway}, payments at ${run.payments}\n`);
  expect(JSON.parse((await runHere('run', program, '--json')).output)).toMatchObject({ CORNER: run.gateway, PAYMENTS: run.payments });
  expect((await runHere('run', './no-such-file.ts')).errors).toContain('there is no file ./no-such-file.ts');
});

test('a token is for a store that was added since the start, by its code', async () => {
  const id = '0190a000-0000-7000-8000-00000000abcd';
  const file = `${folder.path}/added.json`;
  writeFileSync(
    file,
    JSON.stringify({ stores: [{ id, code: 'ADDED', name: 'Added', currency: 'GBP', connected_account_id: 'acct_added' }] }),
  );
  expect(await runHere('apply', file, '--payments', String(run.payments))).toMatchObject({ code: 0 });
  const { code, output } = await runHere('token', 'merchant', '--store', 'added');
  expect({ code, claims: decodeJwt(output.trim()) }).toMatchObject({ code: 0, claims: { stores: [{ id }] } });
  expect((await runHere('token', 'merchant', '--store', 'nowhere')).errors).toContain('no store has the code nowhere');
});

test('a second corner start fails and names the command that stops the first', async () => {
  const { code, errors } = await runHere('start');
  expect(code).toBe(1);
  expect(errors).toContain('corner is already running');
  expect(errors).toContain('npx corner stop');
});

test('corner start with a port that another process uses names that process', async () => {
  await using other = await testFolder();
  const { port } = new URL(run.gateway);
  const { code, errors } = await runCorner(['start', '--port', port, '--data', other.path], env);
  expect(code).toBe(1);
  expect(errors).toContain(`port ${port} on 127.0.0.1 is taken: used by process ${run.services.gateway?.pid}`);
  expect(errors.trim().split('\n').length).toBe(3);
});

test('corner reset deletes nothing while the system runs', async () => {
  const { code, errors } = await runHere('reset');
  expect(code).toBe(1);
  expect(errors).toContain('nothing was deleted');
});

test('a killed service is restarted, and run.json names its new process', async () => {
  const before = run.services.queue?.pid ?? 0;
  process.kill(before, 'SIGKILL');
  const now = () => readRunFile(runFileIn(folder.path))?.services.queue?.pid ?? before;
  await until(() => now() !== before, { describe: 'another process of the queue in run.json' });
  await until(async () => (await fetch(`${run.services.queue?.url}/readyz`)).status === 200, { describe: 'the queue to be ready again' });
});

test('corner stop ends every process that was started', async () => {
  const pids = Object.values(readLedger(folder.path)?.processes ?? {}).map(({ pid }) => pid);
  expect(pids.length).toBe(12);
  const ended = once(system, 'exit');
  const { code } = await runHere('stop');
  expect(code).toBe(0);
  expect(await ended).toEqual([0, null]);
  expect(pids.filter((pid) => identityOf(pid) !== null)).toEqual([]);
  expect(readRunFile(runFileIn(folder.path))).toBeNull();
  expect(JSON.parse(await printed)).toMatchObject({ gateway: run.gateway, stores: run.stores });
  const { code: after } = await runHere('status');
  expect(after).toBe(1);
});

test('corner reset deletes the data once it is confirmed', async () => {
  const unconfirmed = await runHere('reset');
  expect([unconfirmed.code, unconfirmed.errors]).toEqual([1, expect.stringContaining('There is no terminal to confirm this')]);
  expect(existsSync(`${folder.path}/log`)).toBe(true);
  const { code, output } = await runHere('reset', '--yes');
  expect([code, output]).toEqual([0, expect.stringContaining('Cleared')]);
  expect(existsSync(`${folder.path}/log`)).toBe(false);
  expect((await runHere('reset')).output).toContain('nothing to clear');
});
