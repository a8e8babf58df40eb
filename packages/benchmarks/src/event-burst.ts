import type { BenchSystem } from './bench-system.ts';
import { type Finding, spread } from './figures.ts';
import { tellOrderEvents } from './order-events.ts';
import { startRawPublishing } from './raw-publishing.ts';
import { processedIn, relayedIn, untilRelayed } from './relayed.ts';
import { untilProcessed } from './until-processed.ts';
import { whileConsumersAreStopped } from './while-consumers-are-stopped.ts';

interface BurstOptions {
  readonly repetitions: number;
  readonly count: number;
  readonly say: (line: string) => void;
}

/** Messages published raw each time: enough for the rate to settle. */
const rawCount = 20_000;

/** Many events told in one transaction: how fast they reach the stream, and how fast their effects are committed. */
export async function measureEventBurst({ system, database, stores }: BenchSystem, options: BurstOptions): Promise<Finding[]> {
  const { repetitions, count, say } = options;
  await using raw = await startRawPublishing(system.natsUrl);
  const rounds: {
    readonly raw: number;
    readonly relayed: number;
    readonly alone: number;
    readonly done: number;
    readonly inbox: number;
  }[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    await untilProcessed(database);
    const bare = await raw.publish(rawCount);
    const ids = await tellOrderEvents(database, stores, 'order.paid', count);
    await untilProcessed(database);
    const both = { relayed: await relayedIn(database, ids), heard: await processedIn(database, ids) };
    const idle = await tellOrderEvents(database, stores, 'payment.disputed', count);
    await untilProcessed(database);
    const idleProcessed = await processedIn(database, idle);
    // Once more with nobody at the other end: the relay alone.
    const alone = await whileConsumersAreStopped(system, async () => {
      const backlog = await tellOrderEvents(database, stores, 'payment.disputed', count);
      await untilRelayed(database);
      return await relayedIn(database, backlog);
    });
    const round = {
      raw: bare,
      relayed: count / both.relayed,
      alone: count / alone,
      done: count / both.heard,
      inbox: count / idleProcessed,
    };
    rounds.push(round);
    say(
      `burst ${repetition}/${repetitions}: raw ${round.raw.toFixed(0)}/s, relay alone ${round.alone.toFixed(0)}/s, ` +
        `relay beside loyalty ${round.relayed.toFixed(0)}/s, effects committed ${round.done.toFixed(0)}/s, in the inbox with nobody reacting ${round.inbox.toFixed(0)}/s`,
    );
  }
  const of = (value: (round: (typeof rounds)[number]) => number) => spread(rounds.map(value), 'more');
  return [
    { what: `burst of ${count}, effects committed`, unit: 'events/s', figure: of((r) => r.done) },
    { what: `burst of ${count}, effects committed / raw publishing`, unit: 'ratio', figure: of((r) => r.done / r.raw) },
    { what: `relay alone, backlog of ${count}`, unit: 'events/s', figure: of((r) => r.alone) },
    { what: 'relay alone / raw publishing', unit: 'ratio', figure: of((r) => r.alone / r.raw), goal: { at: 'least', value: 0.6 } },
    { what: `burst of ${count}, in the inbox, nobody reacting`, unit: 'events/s', figure: of((r) => r.inbox) },
    { what: 'relay while loyalty listens', unit: 'events/s', figure: of((r) => r.relayed) },
    { what: 'raw JetStream publishing, one process', unit: 'events/s', figure: of((r) => r.raw) },
  ];
}
