/**
 * Stands in for the timers of this process until it is disposed of. Time passes only by `advance`, and `pending` counts the waiting timers.
 */
export class TestClock implements Disposable {
  readonly #real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  readonly #timers = new Set<TestTimer>();
  #now = 0;

  constructor() {
    const set = (run: () => void, ms: number): TestTimer => {
      const timer: TestTimer = {
        dueAt: this.#now + ms,
        run,
        refresh: () => {
          timer.dueAt = this.#now + ms;
          this.#timers.add(timer);
          return timer;
        },
        [Symbol.dispose]: () => void this.#timers.delete(timer),
      };
      return timer.refresh();
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: (timer: TestTimer) => this.#timers.delete(timer) });
  }

  get pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(); next && next.dueAt <= end; next = this.#next()) {
      this.#now = next.dueAt;
      this.#timers.delete(next);
      next.run();
    }
    this.#now = end;
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, this.#real);
  }

  #next(): TestTimer | undefined {
    return [...this.#timers].sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}

interface TestTimer extends Disposable {
  dueAt: number;
  readonly run: () => void;
  readonly refresh: () => TestTimer;
}
