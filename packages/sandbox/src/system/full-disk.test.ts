import { readFileSync } from 'node:fs';
import { canMount, mountSmallDisk, type SmallDisk, type TestFolder, testFolder, until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Journal, openJournal } from '../payments/journal.ts';
import { findNatsServer } from '../servers/find-nats-server.ts';
import { startNats } from '../servers/nats.ts';
import { endWhenUseless, keepRunning } from './keep-running.ts';
import { openLedger } from './ledger.ts';
import { startServer } from './server-handle.ts';

const asRoot = canMount ? describe : describe.skip;

asRoot('a disk that was full', () => {
  let folder: TestFolder;
  let disk: SmallDisk;
  beforeEach(async () => {
    folder = await testFolder();
    disk = await mountSmallDisk(`${folder.path}/disk`, 200);
  });
  afterEach(async () => {
    await disk[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('NATS stores again by itself once there is room, and loses nothing', async () => {
    await using owned = new AsyncDisposableStack();
    const server = await findNatsServer();
    const storeFolder = `${folder.path}/disk/nats`;
    const begin = (port: number) => startNats({ server, storeFolder, port });
    const nats = await startServer({ name: 'nats', port: 0, folder: storeFolder, ledger: openLedger(folder.path), begin });
    const stopped = new AbortController();
    owned.defer(() => nats.stop());
    owned.defer(() => stopped.abort());
    const connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    owned.defer(() => connection.close());
    const publish = async (msgID: string) => await jetstream(connection).publish('kept', 'x'.repeat(10_000), { msgID, timeout: 500 });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'KEPT', subjects: ['kept'] });
    await publish('before');

    void keepRunning(nats, () => {}, stopped.signal);
    void endWhenUseless(nats, () => {}, stopped.signal, 50);
    await disk.fill();
    await expect(publish('meanwhile')).rejects.toThrow(/timeout|no space left/);
    expect(await nats.needsRestart()).toBe(false); // There is no room yet.
    await disk.free();
    await until(async () => await publish('after').catch(() => null), { describe: 'NATS to store again' });
    expect((await publish('before')).duplicate).toBe(true);
  });

  test('the books of the payment simulator take what could not be written, and no line is torn', async () => {
    const file = `${folder.path}/disk/payments.jsonl`;
    const journal = openJournal(file);
    const thing = { object: 'post', id: 'x'.repeat(10_000) } as unknown as Parameters<Journal['write']>[0][number];
    journal.write([thing]);
    const before = readFileSync(file, 'utf8');
    await disk.fill();
    expect(() => journal.write([thing])).toThrow('ENOSPC');
    expect(readFileSync(file, 'utf8')).toBe(before);
    await disk.free();
    journal.write([thing]);
    journal.close();
    expect(openJournal(file).kept).toEqual([thing]);
  });
});
