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
  readonly hash: string;
  readonly lines: readonly string[];
  readonly breaches: readonly Breach[];
  readonly story: readonly string[];
}

/**
 * Plays a day on a new platform, waits until it is at rest and compares the records of all services. The same seed gives the same history.
 */
export async function play(seed: number, day: Day): Promise<Played> {
  const lines: string[] = [];
  let isDay = true;
  // The hours of rest enter the history only by their faults: timers of services there fire concurrently.
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
    if (index + 1 === Math.ceil(day.length / 3)) await divide(world, 2 + (seed % 2), note);
    if (index + 1 === Math.ceil((2 * day.length) / 3)) await divide(world, 1 + (seed % 3), note);
  }
}

const dividing = ['loyalty', 'notifications'] as const;
/** Seconds in which the replicas of a service have finished the events that they read. */
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

async function revive({ gate, revive }: SimulatedPlatform, note: (line: string) => void): Promise<void> {
  const started = await revive();
  if (started.length > 0) note(`  started again: ${started.join(', ')}`);
  await gate.carry();
}

/** The first words of an error repeat in every run of a seed; the ids after them do not. */
const describe = (reason: unknown): string => (reason instanceof Error ? (reason.message.split(/[:(]/)[0] ?? '') : String(reason));

const mending: readonly (readonly [ServiceName, string])[] = [
  ['orders', 'readProviderEvents'],
  ['orders', 'readAccounts'],
  ['orders', 'processProviderEvents'],
  ['orders', 'reconcilePayments'],
  ['orders', 'moveStoreShares'],
  ['orders', 'expireUnpaidOrders'],
  ['orders', 'endOverdueOrders'],
  // Events have Postgres's time, which no step moves, so a voucher's release may seem older than its reservation. The reservation then
  // lapses.
  ['loyalty', 'expireVouchers'],
  ['queue', 'endOverdue'],
  ['queue', 'passPlaces'],
  ...(['orders', 'loyalty', 'queue', 'notifications'] as const).map((service) => [service, 'finishErasures'] as const),
  ['directory', 'collectErasures'],
];

const hourMs = 3_600_000;
/** Milliseconds of each round of rest. An erasure waits days for an abandoned order. */
const rests = [10_000, 10_000, 2 * hourMs, 2 * hourMs, 2 * hourMs, 2 * hourMs, 96 * hourMs, 96 * hourMs];
/** Rounds after which everything has arrived, in hardly any simulated time. After `enoughRounds` usually nothing is left to repair. */
const soonRounds = 2;
const enoughRounds = 4;

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
