import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { findNatsServer, type NatsServer, natsImage } from './find-nats-server.ts';
import { type RunningNats, startNats } from './nats.ts';

let server: NatsServer;
let folder: TestFolder;
let started: RunningNats[];

beforeAll(async () => {
  server = await findNatsServer();
});
beforeEach(async () => {
  folder = await testFolder();
  started = [];
});
afterEach(async () => {
  for (const nats of started) await nats.stop();
  await folder[Symbol.asyncDispose]();
});

async function start(port?: number, on = server): Promise<RunningNats> {
  const nats = await startNats({ server: on, storeFolder: folder.path, ...(port ? { port } : {}) });
  started.push(nats);
  return nats;
}

async function on<T>(nats: RunningNats, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: nats.url.replace('nats://', ''), reconnect: false });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const publish = (nats: RunningNats, text: string) =>
  on(nats, async (connection) => {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(connection).publish('kept', text);
  });
const messagesIn = (nats: RunningNats) =>
  on(nats, async (connection) => {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info('KEPT');
    const texts: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      texts.push((await manager.streams.getMessage('KEPT', { seq }))?.string() ?? '');
    }
    return texts;
  });

test('messages survive a stop and a crash of the server, at the same address', async () => {
  const first = await start();
  await publish(first, 'before the stop');
  await first.stop();
  const second = await start(first.port);
  expect(second.url).toBe(first.url);
  await publish(second, 'before the crash');
  second.kill();
  expect(await second.exited).toBe('it was ended by SIGKILL');
  expect(await messagesIn(await start(first.port))).toEqual(['before the stop', 'before the crash']);
});

test('a server whose starter has died is stopped before another one opens its streams', async () => {
  const orphan = await start();
  await publish(orphan, 'by the orphan');
  const next = await start();
  await orphan.exited;
  await expect(on(orphan, async () => 'it still answers')).rejects.toThrow();
  expect(await messagesIn(next)).toEqual(['by the orphan']);
});

test('a taken port is replaced by another, also when another NATS has it', async () => {
  const first = await start();
  await using elsewhere = await testFolder();
  const second = await startNats({ server, storeFolder: elsewhere.path, port: first.port });
  started.push(second);
  expect(second.port).not.toBe(first.port);
  await publish(second, 'here');
  await expect(messagesIn(first)).rejects.toThrow('stream not found');

  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  await second.stop();
  const third = await startNats({ server, storeFolder: elsewhere.path, port });
  started.push(third);
  expect(third.port).not.toBe(port);
  holder.close();
});

test('the server listens on the loopback address only and has a process group of its own', async () => {
  if (process.platform !== 'linux' || server.kind !== 'program') return;
  const nats = await start();
  const [, group] = /\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${nats.pid}/stat`, 'utf8')) ?? [];
  expect(Number(group)).toBe(nats.pid);
  const listening = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => / 0A /.test(line));
  const hexPort = nats.port.toString(16).toUpperCase().padStart(4, '0');
  expect(listening.filter((line) => line.includes(`:${hexPort} 00000000`)).map((line) => line.trim().split(/\s+/)[1])).toEqual([
    `0100007F:${hexPort}`,
  ]);
});

test('a server in a container keeps its streams and is found again after its starter has died', async () => {
  const image = natsImage;
  const present = await promisify(execFile)('docker', ['image', 'inspect', image]).catch(() => null);
  if (!present) return;
  const container: NatsServer = { kind: 'image', image, from: 'Docker' };
  const first = await start(0, container);
  await publish(first, 'before the crash');
  first.kill();
  await first.exited;
  const orphan = await start(first.port, container);
  expect(orphan.url).toBe(first.url);
  await publish(orphan, 'by the orphan');
  const next = await start(0, container);
  await orphan.exited;
  expect(await messagesIn(next)).toEqual(['before the crash', 'by the orphan']);
});
