import type { Turns } from '@corner/chassis/host';
import { servedFor } from './broker/connection.ts';
import type { SimulatedBroker } from './broker/simulated-broker.ts';
import type { SimulatedClock } from './clock.ts';
import type { Random } from './random.ts';
import { underWay } from './world/under-way.ts';

interface Waiting {
  readonly who: string;
  readonly detail: string;
  readonly life: Life;
  readonly begin: () => void;
}

/** One life of a program. It ends at a transaction: before that begins, or when it has committed. Its later calls never return. */
export interface Life {
  isOver: boolean;
  /** Transactions until its end, and on which side of the last; null while no end is planned. */
  end: { left: number; readonly when: 'before' | 'after' } | null;
  readonly cut: () => void;
}

export interface Session {
  readonly waitsForLock: boolean;
  readonly says: string;
}

export interface GateOptions {
  readonly broker: SimulatedBroker;
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly sessions: () => Promise<readonly Session[]>;
  readonly note: (line: string) => void;
  readonly lookMs?: number;
}

const quietLooks = 6;
const turnsBetweenLooks = 6;
const patientLooks = 200;
const stuckLooks = 60;
const lockedLooks = 3;
const busyLooks = 5_000;
const leapsAtMost = 300;

/**
 * Lets one transaction of all programs run at a time, and one event be delivered. The seed draws the next one once nothing else is under
 * way, so the seed decides the order of everything that programs do to each other. Within its transaction a program waits for no other
 * program.
 *
 * The gate polls for quiet: `quietLooks` idle looks in a row, which cover the work between two statements. A call that reaches neither the
 * gate nor its end within `patientLooks` waits for the clock, which then moves, `leapsAtMost` times in a row. While work is under way, a
 * look follows each second: nothing ends it when there was no activity for `stuckLooks`, or when a statement waits for a lock for
 * `lockedLooks`. After a crash, Postgres gets `busyLooks`, some milliseconds apart, to end the program's sessions.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #waiting = new Set<Waiting>();
  #begun: { readonly who: string; readonly end: () => void } | null = null;
  #arrivals = 0;
  readonly #lastTurns = new Map<string, string>();
  #isOpen = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  of(program: string, life: Life): Turns {
    return {
      take: async (work, by) => {
        if (life.isOver) return await never;
        if (this.#isOpen) return await work();
        const { promise, resolve } = Promise.withResolvers<void>();
        const caller = servedFor.getStore();
        const who = `${program} ${describe(by)}${caller ? ` for ${caller}` : ''}`;
        this.#arrivals += 1;
        this.#waiting.add({ who, detail: typeof by.detail === 'string' ? by.detail : '', life, begin: resolve });
        await promise;
        try {
          if (this.#ends(program, life, 'before')) return await never;
          const result = await work();
          return this.#ends(program, life, 'after') ? await never : result;
        } finally {
          this.#endTurn();
        }
      },
    };
  }

  #ends(program: string, life: Life, when: 'before' | 'after'): boolean {
    if (life.end?.when !== when) return false;
    life.end.left -= 1;
    if (life.end.left > 0) return false;
    this.#options.note(`${program} crashes ${when} this`);
    this.end(life);
    return true;
  }

  end(life: Life): void {
    life.isOver = true;
    life.end = null;
    for (const waiting of this.#waiting) if (waiting.life === life) this.#waiting.delete(waiting);
    this.#endTurn();
    life.cut();
  }

  open(): void {
    this.#isOpen = true;
    for (const waiting of this.#waiting) waiting.begin();
    this.#waiting.clear();
  }

  /**
   * Carries calls to their end, each under the name with which its request ids begin. The seed draws each step, and a share of the waiting
   * deliveries. Resolves when all have ended and their consequences are quiet; deliveries may remain.
   */
  async carry<T>(calls: Readonly<Record<string, () => Promise<T>>> = {}): Promise<PromiseSettledResult<T>[]> {
    const under = new Set(Object.keys(calls));
    const results = Object.entries(calls).map(([name, call]) => call().finally(() => under.delete(name)));
    const all = Promise.allSettled(results);
    for (let leaps = 0; ; ) {
      await this.#quiet(under);
      if (this.#next(under)) {
        leaps = 0;
        continue;
      }
      if (under.size === 0) return await all;
      const { nextMs } = this.#options.clock;
      leaps += 1;
      if (nextMs === null || leaps > leapsAtMost) throw await this.#stuck('waits for what never comes', under);
      this.#options.clock.jump(Math.max(1, nextMs));
    }
  }

  #next(under: ReadonlySet<string>): boolean {
    const { broker, random, note } = this.#options;
    const waiting = [...this.#waiting].sort((a, b) => a.who.localeCompare(b.who) || a.detail.localeCompare(b.detail));
    const deliverable = under.size > 0 ? broker.deliverable : [];
    const prefersDelivery = random.below(4) === 0;
    if (deliverable.length > 0 && (waiting.length === 0 || prefersDelivery)) {
      const event = random.pick(deliverable);
      note(`deliver ${event.producer} ${event.sequence} to ${event.service}`);
      broker.deliver(event);
      return true;
    }
    if (waiting.length === 0) return false;
    const next = random.pick(waiting);
    note(next.who);
    for (const name of under) if (isOf(name, next)) this.#lastTurns.set(name, next.who);
    this.#begin(next);
    return true;
  }

  /** A call that has not reached the gate under its name is under way, or an outside party's turn stands for it. */
  #areThere(under: ReadonlySet<string>): boolean {
    const waiting = [...this.#waiting];
    return [...under].every((name) => waiting.some((one) => isOf(name, one)) || this.#options.broker.isInVain(name));
  }

  #begin(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#begun = { who: waiting.who, end: underWay.begin() };
    waiting.begin();
  }

  #endTurn(): void {
    this.#begun?.end();
    this.#begun = null;
  }

  get #activity(): number {
    return this.#options.broker.activity + underWay.activity + this.#arrivals;
  }

  async #quiet(under: ReadonlySet<string>): Promise<void> {
    for (let still = 0, busy = 0; ; ) {
      if (!underWay.isNothing) await this.#untilEnded(under);
      const before = this.#activity;
      for (let turn = 0; turn < turnsBetweenLooks; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      still = this.#activity === before && underWay.isNothing ? still + 1 : 0;
      if (still < (this.#areThere(under) ? quietLooks : patientLooks)) continue;
      if ((await this.#options.sessions()).length === 0) return;
      busy += 1;
      if (busy > busyLooks) throw await this.#stuck('is not ended by Postgres', under);
      await late(1);
    }
  }

  async #untilEnded(under: ReadonlySet<string>): Promise<void> {
    const { sessions, lookMs = 1_000 } = this.#options;
    const ended = underWay.ended.then(() => true);
    for (let stuck = 0, locked = 0; ; ) {
      const before = this.#activity;
      if (await Promise.race([ended, late(lookMs)])) return;
      locked = (await sessions()).some(({ waitsForLock }) => waitsForLock) ? locked + 1 : 0;
      stuck = this.#activity === before ? stuck + 1 : 0;
      if (stuck >= stuckLooks || locked >= lockedLooks) throw await this.#stuck('does not end', under);
    }
  }

  async #stuck(what: string, under: ReadonlySet<string>): Promise<Error> {
    const calls = [...under].map((name) => `${name} is under way; its last turn: ${this.#lastTurns.get(name) ?? 'none'}`);
    const sessions = (await this.#options.sessions()).map(({ says }) => `Postgres: ${says}`);
    const lines = [
      ...calls,
      ...(this.#begun ? [`has its turn: ${this.#begun.who}`] : []),
      ...[...this.#waiting].map(({ who }) => `waits for its turn: ${who}`),
      ...sessions,
      ...this.#options.clock.waits.map((wait) => `waits for a time: ${wait}`),
    ];
    return new Error([`something ${what}`, ...lines].join('\n  '));
  }
}

const isOf = (call: string, { who }: Waiting): boolean => who.includes(` ${call}.`);

const never = new Promise<never>(() => {});

const late = (milliseconds: number): Promise<false> => new Promise((resolve) => void setTimeout(resolve, milliseconds, false).unref());

function describe(by: Readonly<Record<string, unknown>>): string {
  const { request_id, job, background, producer, part } = by;
  return [request_id, job, background, producer, part].filter((field) => typeof field === 'string' || typeof field === 'number').join(' ');
}
