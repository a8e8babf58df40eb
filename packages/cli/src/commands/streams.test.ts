import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectNats } from '@corner/nats';
import { claimPort, findNatsServer, natsAccess, type RunningNats, startNats } from '@corner/sandbox/servers';
import { type TestFolder, testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { main, runCorner } from '../testing/run-corner.ts';

const access = natsAccess();
let folder: TestFolder;
let nats: RunningNats;
const settings = (user: string) => ({ ...process.env, ...access.loginOf(user), NATS_URL: nats.url }) as NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await testFolder();
  nats = await start();
});
afterAll(async () => {
  await nats?.stop();
  await folder[Symbol.asyncDispose]();
});

test('with --once makes what is missing and says what it made, then finds nothing to do', async () => {
  const { code, output } = await runCorner(['streams', '--once'], settings('streams'));
  expect([code, output]).toEqual([0, expect.stringMatching(/ok {2}made the consumer loyalty of ORDERS\n/)]);
  expect(await runCorner(['streams', '--once', '--json'], settings('streams'))).toMatchObject({
    code: 0,
    output: expect.stringMatching(/"done": ?\[\],\s*"faults": ?\[\]/),
  });
});

test('with --once ends with 1 where the user may not, and names what could not be made', async () => {
  const { code, output } = await runCorner(['streams', '--once'], settings('queue'));
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/no {2}The (?:stream|consumer) .*cannot be made or looked at.*Permissions Violation/i),
  ]);
});

test('stays, is ready once all is there, makes again what is lost, and ends on SIGTERM', async () => {
  const { port, release } = await claimPort(0, new Set());
  await release();
  const keeper = spawn(process.execPath, [main, 'streams'], {
    env: { ...settings('streams'), PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status;
  await until(async () => (await ask('/readyz')) === 200, { describe: 'the command to be ready' });
  expect([await ask('/livez'), await ask('/')]).toEqual([200, 404]);
  await asAdministrator((manager) => manager.streams.delete('QUEUE'));
  await nats.stop();
  nats = await start(nats.port);
  const consumer = () => asAdministrator((manager) => manager.consumers.info('QUEUE', 'loyalty')).catch(() => null);
  await until(async () => (await consumer())?.name === 'loyalty', { describe: 'the stream and its consumer to be made again' });
  keeper.kill('SIGTERM');
  expect(await once(keeper, 'exit')).toEqual([0, null]);
});

async function start(port?: number): Promise<RunningNats> {
  const { configuration, administrator: login } = access;
  return startNats({ server: await findNatsServer(), storeFolder: folder.path, configuration, login, ...(port && { port }) });
}

async function asAdministrator<T>(act: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connectNats(nats.url, 'test', access.administrator);
  try {
    return await act(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}
