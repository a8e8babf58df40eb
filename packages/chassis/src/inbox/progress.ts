import type { Incarnation } from '@corner/contracts';
import { commonEnd, rangesWithout } from './numbers.ts';
import { partPositions } from './part-position.ts';
import { type Part, wholeStream } from './parts.ts';
import { type LostRange, type Position, type PositionNotes, type PositionOwner, type Positions, wholePositions } from './position.ts';

type Notes = Pick<PositionNotes, 'missing'> & { readonly last: number | null; readonly missingSince: Date | null };

export interface ProgressOwner extends PositionOwner {
  readonly part?: Part;
}

/**
 * How far a producer's numbered events have come. The inbox holds all of the part's events up to `complete`; everything below `next` was
 * passed on; single numbers above `next` are in the inbox from before a crash or by other parts. `next` is null until the producer has
 * named where a new consumer begins.
 */
export class Progress {
  readonly #owner: PositionOwner & { readonly part: Part };
  readonly #positions: Positions<PositionOwner & { readonly part: Part }>;
  #incarnations: readonly Incarnation[];
  #complete: number;
  #next: number | null;
  readonly #ahead: Set<number>;
  #passed: number[] = [];
  /** The state in the database, as written by `#describe`; empty when unknown: the consumer before may have recorded missing events. */
  #recorded = '';
  readonly clean: boolean;

  static async takeUp({ part = wholeStream, ...rest }: ProgressOwner): Promise<Progress> {
    const owner = { ...rest, part };
    const positions = part.of === 1 ? wholePositions : partPositions;
    return new Progress(owner, positions, await positions.takeUp(owner));
  }

  private constructor(
    owner: PositionOwner & { readonly part: Part },
    positions: Positions<PositionOwner & { readonly part: Part }>,
    { completeUpTo, incarnations, ahead, clean }: Position,
  ) {
    this.#owner = owner;
    this.#positions = positions;
    this.#incarnations = incarnations;
    this.#complete = completeUpTo ?? 0;
    this.#ahead = new Set(ahead);
    this.#next = completeUpTo === null ? null : completeUpTo + 1;
    this.clean = clean;
    this.#skipAhead();
  }

  get next(): number | null {
    return this.#next;
  }

  get incarnations(): readonly Incarnation[] {
    return this.#incarnations;
  }

  get isSettled(): boolean {
    return this.#next === null || this.#complete >= this.#next - 1;
  }

  holds(number: number): boolean {
    return number <= this.#complete || this.#ahead.has(number);
  }

  pass(number: number, isOurs = true): void {
    if (number !== this.#next) return;
    if (isOurs) this.#passed.push(number);
    this.#next += 1;
    this.#skipAhead();
  }

  lacking(from: number, to: number): Pick<LostRange, 'from' | 'to'>[] {
    return rangesWithout(this.#ahead, Math.max(from, this.#next ?? from), to);
  }

  /**
   * Returns the last number that means the same event for the producer when numbers above it are held; else adopts its incarnations, and
   * returns null.
   */
  adopt(known: readonly Incarnation[]): number | null {
    const end = commonEnd(this.#incarnations, known);
    if (end < (this.#next ?? 1) - 1 || [...this.#ahead].some((number) => number > end)) return end;
    this.#incarnations = known;
    return null;
  }

  /**
   * Continues at the first number for a new consumer, or at the first after numbers that mean nothing. `last` is the producer's last
   * number.
   */
  async continueAt(
    number: number,
    { incarnations, last }: { readonly incarnations: readonly Incarnation[]; readonly last: number },
  ): Promise<void> {
    if (this.#next !== null) {
      await this.#positions.set(this.#owner, number - 1, incarnations);
      this.#incarnations = incarnations;
      this.#moveTo(number - 1);
      return;
    }
    const begun = await this.#positions.begin(this.#owner, { completeUpTo: number - 1, incarnations, last: Math.max(last, number - 1) });
    this.#incarnations = begun.incarnations;
    this.#moveTo(begun.completeUpTo);
    // Nothing was missing before, so there is nothing else to record.
    this.#recorded = this.#describe(0);
  }

  async cut(end: number, known: readonly Incarnation[]): Promise<number> {
    const events = await this.#positions.cut(this.#owner, end, known);
    this.#incarnations = known;
    this.#passed = [];
    for (const number of this.#ahead) if (number > end) this.#ahead.delete(number);
    this.#complete = Math.min(this.#complete, end);
    this.#next = this.#complete + 1;
    this.#skipAhead();
    return events;
  }

  async lose(range: LostRange): Promise<void> {
    await this.#positions.passLost(this.#owner, range);
    this.#moveTo(range.to);
  }

  /** Writes only when completeness or the missing events have changed. `clean`: the consumer ends with nothing in progress. */
  async record({ last, missing, missingSince }: Notes, clean: boolean): Promise<void> {
    if (this.#next === null) return;
    const text = this.#describe(missing);
    if (text === this.#recorded && !clean) return;
    const passed = { upTo: this.#next - 1, numbers: this.#passed };
    this.#complete = await this.#positions.move(this.#owner, passed, {
      incarnations: this.#incarnations,
      last: Math.max(last ?? 0, this.#next - 1),
      missing,
      missing_since: missingSince?.toISOString() ?? null,
      clean,
    });
    this.#forgetAheadUpTo(this.#complete);
    // Events in progress are recorded next time.
    this.#recorded = this.isSettled ? text : '';
  }

  #describe(missing: number): string {
    return JSON.stringify([this.#next, this.#incarnations, missing]);
  }

  #moveTo(number: number): void {
    this.#forgetAheadUpTo(number);
    this.#complete = number;
    this.#next = number + 1;
    this.#skipAhead();
  }

  #forgetAheadUpTo(end: number): void {
    for (const number of this.#ahead) if (number <= end) this.#ahead.delete(number);
    this.#passed = this.#passed.filter((number) => number > end);
  }

  #skipAhead(): void {
    while (this.#next !== null && this.#ahead.delete(this.#next)) this.#next += 1;
  }
}
