import { setTimeout as pause } from 'node:timers/promises';
import type { Breach } from '@corner/simulation';
import { randomFrom } from '../testing/random.ts';
import { type CatchUp, measureCatchUp } from './catch-up.ts';
import type { Course, Fault, Span } from './fault.ts';
import { findLosses, mailsSentAgain } from './find-losses.ts';
import { whatItStored } from './receivers/receivers.ts';
import type { Stage } from './stage.ts';
import { runTraffic } from './traffic.ts';
import { firstCall, type Visit } from './visit.ts';

export interface RunOptions {
  readonly perSecond: number;
  readonly seconds: number;
  readonly settleMs: number;
  readonly events: number;
}

export interface FaultRun {
  readonly fault: string;
  readonly seed: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly repeated: number;
  readonly codes: Readonly<Record<string, number>>;
  /** Milliseconds until the final response of each order that began before or during the fault and was answered after the fault began. */
  readonly latenciesMs: readonly number[];
  readonly faultSeconds: number;
  /** Seconds from the last visitor's last response until nothing was left to do; null when something was left. */
  readonly settleSeconds: number | null;
  readonly catchUp: CatchUp;
  readonly forgotten: Span | null;
  readonly notes: readonly string[];
  readonly mailsSentAgain: number;
  readonly breaches: readonly Breach[];
}

export async function runFault(stage: Stage, fault: Fault, seed: number, options: RunOptions): Promise<FaultRun> {
  const random = randomFrom(seed);
  await fault.prepare?.(stage);
  await control(stage.system.messagesUrl, 'empty');
  const firstRecorded = stage.history.calls.length;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const traffic = runTraffic(stage, { ...options, until: over, random: randomFrom(seed + 1_000_000) });
  await pause((0.15 + 0.15 * random()) * options.seconds * 1000);
  const began = performance.now();
  const course = followCourse(stage, options.events);
  const applied = fault.apply(stage, random, course).then(
    () => performance.now(),
    (error: unknown) => ({ error }),
  );
  const ended = await applied;
  if (typeof ended === 'number' && !course.measured()) await course.answering();
  end();
  const visits = await traffic;
  if (typeof ended !== 'number') throw new Error(`the fault ${fault.name} could not be applied`, { cause: ended.error });
  const { forgotten, notes } = course;
  const { breaches, settleSeconds } = await settle(stage, visits, forgotten, options.settleMs);
  return {
    fault: fault.name,
    seed,
    ...summaryOf(visits, stage.history.calls.slice(firstRecorded)),
    latenciesMs: latenciesOf(visits, began, ended),
    faultSeconds: (ended - began) / 1000,
    settleSeconds,
    catchUp: await course.longest(),
    forgotten,
    notes: [...notes, ...(stage.receivers?.all.map(whatItStored) ?? [])],
    mailsSentAgain: await mailsSentAgain(stage),
    breaches,
  };
}

const catchUpMs = 20_000;

function followCourse({ system }: Stage, events: number) {
  const measurements: Promise<CatchUp>[] = [];
  const longest = (times: readonly (number | null)[]) => (times.includes(null) ? null : Math.max(...times.map(Number)));
  const followed = {
    events,
    forgotten: null as Span | null,
    notes: [] as string[],
    measured: () => measurements.length > 0,
    async longest(): Promise<CatchUp> {
      const all = await Promise.all(measurements);
      return {
        processedSeconds: longest(all.map(({ processedSeconds }) => processedSeconds)),
        newEventSeconds: longest(all.map(({ newEventSeconds }) => newEventSeconds)),
      };
    },
    async answering() {
      const measurement = measureCatchUp(system.databaseUrl, catchUpMs);
      measurements.push(measurement);
      await measurement;
    },
    forgot({ from, to }: Span) {
      followed.forgotten = { from: Math.min(from, followed.forgotten?.from ?? from), to: Math.max(to, followed.forgotten?.to ?? to) };
    },
    note: (sentence: string) => void followed.notes.push(sentence),
  };
  return followed satisfies Course;
}

const isOrder = ({ kind }: Visit): boolean => kind.endsWith('order');

function summaryOf(visits: readonly Visit[], calls: Stage['history']['calls']) {
  const orders = visits.filter(isOrder);
  const count = (outcome: Visit['outcome']) => orders.filter((visit) => visit.outcome === outcome).length;
  const requests = Map.groupBy(calls, ({ key }) => key);
  const codes: Record<string, number> = {};
  for (const code of visits.flatMap(({ code, failed }) => [...(code ? [code] : []), ...failed])) codes[code] = (codes[code] ?? 0) + 1;
  return {
    accepted: count('accepted'),
    refused: count('refused'),
    unanswered: count('unanswered'),
    repeated: orders.filter(({ kind, key }) => (requests.get(firstCall(kind, key))?.length ?? 0) > 1).length,
    codes,
  };
}

const latenciesOf = (visits: readonly Visit[], began: number, ended: number): number[] =>
  visits
    .filter((visit) => isOrder(visit) && visit.began < ended && visit.began + visit.tookMs > began)
    .map(({ tookMs }) => Math.round(tookMs));

/** Ends when the comparison finds nothing or the time is over. */
async function settle(stage: Stage, visits: readonly Visit[], forgotten: Span | null, withinMs: number) {
  const startedAt = performance.now();
  for (;;) {
    const breaches = await findLosses(stage, visits, forgotten);
    const tookMs = performance.now() - startedAt;
    if (breaches.length === 0) return { breaches, settleSeconds: tookMs / 1000 };
    if (tookMs > withinMs) return { breaches, settleSeconds: null };
    await pause(250);
  }
}

export async function control(simulatorUrl: string | null, name: string, body: object = {}): Promise<void> {
  const response = await fetch(`${simulatorUrl}/_sim/${name}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the control ${name} was refused: ${await response.text()}`);
}
