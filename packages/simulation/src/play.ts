import { createHash } from 'node:crypto';
import type { ServiceName } from '@corner/contracts';
import { type Breach, breaches } from './invariants/breach.ts';
import { findCrossServiceBreaches, remindersAgree } from './invariants/cross-service.ts';
import { Books, findBreaches } from './invariants/find-breaches.ts';
import { deliverAll } from './world/deliver-all.ts';
import { type SimulatedPlatform, startSimulatedPlatform } from './world/platform.ts';
import type { Day } from './world/steps.ts';
import { storyOf } from './world/story.ts';
import { endFaults, takeStep } from './world/take-step.ts';
import { World } from './world/world.ts';

export interface Played {
  /** SHA-256 of the history. */
  readonly hash: string;
  /** Every step, how it ended, and what went next, in order; and the invariants that do not hold in the end. */
  readonly lines: readonly string[];
  /** What did not hold in the end. */
  readonly breaches: readonly Breach[];
  /** What the services have on record of the orders and customers that breaches name; empty where all holds. */
  readonly story: readonly string[];
}

/** Plays a day on a platform of its own, lets it come to rest and compares what all services have. The same seed plays the same. */
export async function play(seed: number, day: Day): Promise<Played> {
  const lines: string[] = [];
  let isDay = true;
  // Of the hours of rest only what is wrong at their end is history: services there wake by their timers, all at once.
  const note = (line: string) => void (isDay && lines.push(line));
  await using platform = await startSimulatedPlatform({ seed, note: (line) => note(`    ${line}`) });
  let found: readonly Breach[];
  let story: readonly string[] = [];
  try {
    await using world = await World.open(platform);
    await playDay(world, day, note, seed);
    isDay = false;
    endFaults(world);
    await revive(platform, note);
    found = await comeToRest(world, platform);
    if (found.length > 0) story = await storyOf(world, found);
  } catch (error) {
    found = breaches('wrong', 'a history comes to its end', [error instanceof Error ? error.message.split('\n') : String(error)]);
  }
  for (const { kind, invariant } of found) lines.push(`${kind}: ${invariant}`);
  return { hash: createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16), lines, breaches: found, story };
}

async function playDay(world: World, day: Day, note: (line: string) => void, seed: number): Promise<void> {
  const { platform } = world;
  for (const [index, round] of day.entries()) {
    note(`round ${index + 1}`);
    const calls = round.map(({ name, step }) => [name, () => world.inStep(name, () => takeStep(world, step))] as const);
    const ended = await platform.gate.carry(Object.fromEntries(calls));
    for (const [nth, result] of ended.entries()) {
      const how = result.status === 'fulfilled' ? (result.value ?? '') : `failed: ${describe(result.reason)}`;
      note(`  ${round[nth]?.name} ${JSON.stringify(round[nth]?.step)} ${how}`);
    }
    await revive(platform, note);
    // Twice a day what two services consume is divided anew: into more parts, and into others or one again.
    if (index + 1 === Math.ceil(day.length / 3)) await divide(world, 2 + (seed % 2), note);
    if (index + 1 === Math.ceil((2 * day.length) / 3)) await divide(world, 1 + (seed % 3), note);
  }
}

const dividing = ['loyalty', 'notifications'] as const;
/** Seconds in which the replicas of a service have finished what they read. */
const handOverSeconds = 60;

async function divide({ platform, database }: World, parts: number, note: (line: string) => void): Promise<void> {
  for (const service of dividing) await database.query(`update ${service}.consumer_layout set parts = $1`, [parts]);
  const isDone = async () => {
    const layouts = dividing.map((service) => database.query<{ prepared: number }>(`select prepared from ${service}.consumer_layout`));
    return (await Promise.all(layouts)).every(({ rows }) => rows[0]?.prepared === parts);
  };
  for (let seconds = 0; seconds < handOverSeconds && !(await isDone()); seconds += 1) {
    platform.clock.jump(1_000);
    await platform.gate.carry();
  }
  note(`  ${dividing.join(' and ')} consume in ${parts} parts: ${await isDone()}`);
}

/** Starts what has crashed. */
async function revive({ gate, revive }: SimulatedPlatform, note: (line: string) => void): Promise<void> {
  const started = await revive();
  if (started.length > 0) note(`  started again: ${started.join(', ')}`);
  await gate.carry();
}

/** Ids of a failed call are those of the run; its first words are not. */
const describe = (reason: unknown): string => (reason instanceof Error ? (reason.message.split(/[:(]/)[0] ?? '') : String(reason));

/** The jobs that mend what was left halfway, in an order in which one round of them is mostly enough. */
const mending: readonly (readonly [ServiceName, string])[] = [
  ['orders', 'readProviderEvents'],
  ['orders', 'readAccounts'],
  ['orders', 'processProviderEvents'],
  ['orders', 'reconcilePayments'],
  ['orders', 'moveStoreShares'],
  ['orders', 'expireUnpaidOrders'],
  ['orders', 'endOverdueOrders'],
  // An event has Postgres's time, which no step moves, so a release by one may seem older than its reservation. That lapses.
  ['loyalty', 'expireVouchers'],
  ['queue', 'endOverdue'],
  ...(['orders', 'loyalty', 'queue', 'notifications'] as const).map((service) => [service, 'finishErasures'] as const),
  ['directory', 'collectErasures'],
];

const hourMs = 3_600_000;
/** How long each round of rest is. An erasure waits for an order that no one ends, for days. */
const rests = [10_000, 10_000, 2 * hourMs, 2 * hourMs, 2 * hourMs, 2 * hourMs, 96 * hourMs, 96 * hourMs];
/** Rounds after which everything has arrived, and hardly any time has passed. */
const soonRounds = 2;
/** Rounds after which nothing is left to mend, mostly. */
const enoughRounds = 4;

/** Lets hours pass in which jobs run and everything arrives. Returns what is wrong then. */
async function comeToRest(world: World, platform: SimulatedPlatform): Promise<readonly Breach[]> {
  let found: readonly Breach[] = [];
  let early: readonly Breach[] = [];
  for (const [round, rest] of rests.entries()) {
    platform.clock.jump(rest);
    await platform.gate.carry({ webhooks: () => platform.payments.controls.flush() });
    for (const [service, job] of mending) await platform.gate.carry({ [job]: () => platform.runJob(service, job) });
    await deliverAll(platform);
    if (round + 1 === soonRounds) early = await remindersAgree(world.database);
    if (round + 1 < enoughRounds) continue;
    found = await breachesOf(world, platform);
    if (found.length === 0) break;
  }
  return [...early, ...found];
}

async function breachesOf(world: World, { databaseUrl, payments }: SimulatedPlatform): Promise<readonly Breach[]> {
  const books = Books.parse(payments.books());
  return [
    ...(await findBreaches(databaseUrl, books, world.history)),
    ...(await findCrossServiceBreaches(world.database, [...world.erased])),
    ...world.wrong.map((detail): Breach => ({ kind: 'wrong', invariant: 'a call ends in a success or a refusal', detail })),
  ];
}
