import { randomUUID } from 'node:crypto';
import { connectNats } from '@corner/nats';
import { DiscardPolicy, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { publishOrderEvents } from '../load/publish-order-events.ts';
import { type Finding, spread } from '../report/figures.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { processedIn, relayedIn, untilRelayed } from '../system/relay-progress.ts';
import { untilSettled } from '../system/settled.ts';
import { whileConsumersAreStopped } from '../system/while-consumers-are-stopped.ts';
import type { PartOptions } from './part.ts';

const rawCount = 20_000;

interface Rates {
  readonly raw: number;
  readonly relayed: number;
  readonly alone: number;
  readonly done: number;
  readonly inbox: number;
}

/**
 * The rates at which many events of one transaction reach the stream (`relayed` while loyalty consumes, `alone` with stopped consumers) and
 * at which their effects are committed. Compared with publishing equally large messages from one process into a stream configured alike.
 */
export async function measureEventBurst(bench: BenchSystem, { repetitions, burst: count, log }: PartOptions): Promise<Finding[]> {
  await using raw = await startRawPublishing(bench.system.natsUrl);
  const rounds: Rates[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    await untilSettled(bench);
    const round = { raw: await raw.publish(rawCount), ...(await measureOnce(bench, count)) };
    rounds.push(round);
    log(
      `burst ${repetition}/${repetitions}: raw ${round.raw.toFixed(0)}/s, relay alone ${round.alone.toFixed(0)}/s, ` +
        `relay while loyalty consumes ${round.relayed.toFixed(0)}/s, effects committed ${round.done.toFixed(0)}/s, in the inbox without a handler ${round.inbox.toFixed(0)}/s`,
    );
  }
  const of = (value: (round: Rates) => number) => spread(rounds.map(value), 'more');
  return [
    { what: `burst of ${count}, effects committed`, unit: 'events/s', figure: of((r) => r.done), goal: { at: 'least', value: 2_000 } },
    { what: `burst of ${count}, effects committed / raw publishing`, unit: 'ratio', figure: of((r) => r.done / r.raw) },
    { what: `relay alone, backlog of ${count}`, unit: 'events/s', figure: of((r) => r.alone) },
    { what: 'relay alone / raw publishing', unit: 'ratio', figure: of((r) => r.alone / r.raw), goal: { at: 'least', value: 0.3 } },
    { what: `burst of ${count}, in the inbox, without a handler`, unit: 'events/s', figure: of((r) => r.inbox) },
    { what: 'relay while loyalty consumes', unit: 'events/s', figure: of((r) => r.relayed) },
    { what: 'raw JetStream publishing, one process', unit: 'events/s', figure: of((r) => r.raw) },
  ];
}

async function measureOnce(bench: BenchSystem, count: number): Promise<Omit<Rates, 'raw'>> {
  const { database, plain } = bench;
  const publish = (type: 'order.paid' | 'order.status_changed') => publishOrderEvents(database, plain.stores, type, count);
  const paid = await publish('order.paid');
  await untilSettled(bench);
  const relayed = count / (await relayedIn(database, paid));
  const done = count / (await processedIn(database, paid));
  const withoutHandler = await publish('order.status_changed');
  await untilSettled(bench);
  const inbox = count / (await processedIn(database, withoutHandler));
  const alone = await whileConsumersAreStopped(bench, async () => {
    const backlog = await publish('order.status_changed');
    await untilRelayed(database);
    return count / (await relayedIn(database, backlog));
  });
  return { relayed, done, inbox, alone };
}

interface RawPublishing extends AsyncDisposable {
  publish(count: number): Promise<number>;
}

const window = 1024;
const size = 900;

async function startRawPublishing(natsUrl: string): Promise<RawPublishing> {
  const connection = await connectNats(natsUrl, 'corner bench');
  const manager = await jetstreamManager(connection);
  const js = jetstream(connection);
  await manager.streams.add({
    name: 'BENCH',
    subjects: ['bench.>'],
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(3_600_000),
  });
  const payload = 'x'.repeat(size);
  return {
    async publish(count) {
      let next = 0;
      const startedAt = performance.now();
      const worker = async () => {
        while (next++ < count) await js.publish('bench.raw', payload, { msgID: randomUUID() });
      };
      await Promise.all(Array.from({ length: window }, worker));
      return count / ((performance.now() - startedAt) / 1000);
    },
    async [Symbol.asyncDispose]() {
      await manager.streams.delete('BENCH');
      await connection.close();
    },
  };
}
