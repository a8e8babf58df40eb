import type { Turns } from '@corner/chassis/host';
import { servedFor } from './broker/connection.ts';
import type { SimulatedBroker } from './broker/simulated-broker.ts';
import type { SimulatedClock } from './clock.ts';
import type { Random } from './random.ts';

interface Waiting {
  /** Who waits, the same in every run of a seed. */
  readonly who: string;
  /** Orders those who are called the same. */
  readonly detail: string;
  readonly life: Life;
  readonly begin: () => void;
}

/** One life of a program. It ends at a transaction: before that begins, or when it has committed. What is called then never returns. */
export interface Life {
  isOver: boolean;
  /** Transactions until its end, and on which side of the last; null while it is to go on. */
  end: { left: number; readonly when: 'before' | 'after' } | null;
  /** Cuts all that it is connected to. */
  readonly cut: () => void;
}

export interface GateOptions {
  readonly broker: SimulatedBroker;
  readonly clock: SimulatedClock;
  readonly random: Random;
  /** Whether Postgres works for no one at this moment. */
  readonly isIdle: () => Promise<boolean>;
  /** Receives what goes next. */
  readonly note: (line: string) => void;
}

/** Looks in a row that must find nothing under way. Between two, what is between two statements comes to the next one. */
const quietLooks = 6;
const turnsBetweenLooks = 6;
/** Looks for a call that comes neither to the gate nor to its end: it waits for a time. */
const patientLooks = 30;
const looksAtMost = 20_000;

/**
 * Lets one transaction of all programs run at a time, and one event be delivered; the seed draws which is next, once nothing else is under way. So the
 * order of everything that programs do to each other is that of the seed. Within its transaction a program waits for no other program.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #begun = new Set<string>();
  #isOpen = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The turns of a program in one of its lives. */
  of(program: string, life: Life): Turns {
    return {
      take: async (work, by) => {
        if (life.isOver) return await never;
        if (this.#isOpen) return await work();
        const { promise, resolve } = Promise.withResolvers<void>();
        const caller = servedFor.getStore();
        const who = `${program} ${describe(by)}${caller ? ` for ${caller}` : ''}`;
        this.#waiting.add({ who, detail: typeof by.detail === 'string' ? by.detail : '', life, begin: resolve });
        await promise;
        try {
          if (this.#ends(program, life, 'before')) return await never;
          const result = await work();
          return this.#ends(program, life, 'after') ? await never : result;
        } finally {
          this.#begun.delete(who);
        }
      },
    };
  }

  /** Ends a life whose time has come. */
  #ends(program: string, life: Life, when: 'before' | 'after'): boolean {
    if (life.end?.when !== when) return false;
    life.end.left -= 1;
    if (life.end.left > 0) return false;
    this.#options.note(`${program} crashes ${when} this`);
    this.end(life);
    return true;
  }

  /** Ends a life now. What waits of it never begins. */
  end(life: Life): void {
    life.isOver = true;
    life.end = null;
    for (const waiting of this.#waiting) if (waiting.life === life) this.#waiting.delete(waiting);
    this.#begun.clear();
    life.cut();
  }

  /** Lets everything run as it comes: for the end of a platform. */
  open(): void {
    this.#isOpen = true;
    for (const waiting of this.#waiting) this.#begin(waiting);
  }

  /**
   * Carries calls to their end, each by the name with which its request ids begin, each step drawn by the seed, with a share of the deliveries that wait. Resolves when all have ended and what they
   * began rests, with deliveries left over.
   */
  async carry<T>(calls: Readonly<Record<string, () => Promise<T>>> = {}): Promise<PromiseSettledResult<T>[]> {
    const under = new Set(Object.keys(calls));
    const results = Object.entries(calls).map(([name, call]) => call().finally(() => under.delete(name)));
    const all = Promise.allSettled(results);
    for (;;) {
      await this.#quiet(under);
      if (this.#next(under.size > 0)) continue;
      if (under.size === 0) return await all;
      // Calls wait for a time.
      const { nextMs } = this.#options.clock;
      if (nextMs === null) throw new Error('a call waits for what never comes');
      this.#options.clock.jump(Math.max(1, nextMs));
    }
  }

  /** Begins what is next. Returns false when nothing waits. A delivery is drawn now and then, while calls are under way. */
  #next(mayDeliver: boolean): boolean {
    const { broker, random, note } = this.#options;
    const waiting = [...this.#waiting].sort((a, b) => a.who.localeCompare(b.who) || a.detail.localeCompare(b.detail));
    const deliverable = mayDeliver ? broker.deliverable : [];
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
    this.#begin(next);
    return true;
  }

  /** Whether each call has come to the gate under its name. One that has not is on its way, or an outside party's turn stands for it. */
  #areThere(under: ReadonlySet<string>): boolean {
    const waiting = [...this.#waiting].map(({ who }) => who);
    return [...under].every((name) => waiting.some((who) => who.includes(` ${name}.`)));
  }

  #begin(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#begun.add(waiting.who);
    waiting.begin();
  }

  /** Resolves when nothing is under way but what waits at the gate, for a time, or for a delivery. */
  async #quiet(under: ReadonlySet<string>): Promise<void> {
    const { broker, isIdle } = this.#options;
    for (let looks = 0, quiet = 0; quiet < quietLooks; looks += 1) {
      const before = broker.activity;
      for (let turn = 0; turn < turnsBetweenLooks; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const isQuiet = this.#begun.size === 0 && (await isIdle()) && broker.activity === before;
      const isThere = this.#areThere(under) || looks > patientLooks;
      quiet = isQuiet && isThere ? quiet + 1 : 0;
      if (looks > looksAtMost) throw new Error(`something is under way for too long: ${[...this.#begun].join(', ') || 'outside the gate'}`);
    }
  }
}

const never = new Promise<never>(() => {});

function describe(by: Readonly<Record<string, unknown>>): string {
  const { request_id, job, background, producer } = by;
  return [request_id, job, background, producer].filter((field) => typeof field === 'string').join(' ');
}
