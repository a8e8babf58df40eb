import { commandLineOf, processIds, readProcess, type SeenProcess } from './processes.ts';

/** The first kind whose pattern matches the command line counts. */
const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['jest workers', /tools\/runner\/worker\.ts/],
  ['services', /services\/[^/ ]+\/(?:src|dist)\/[^ ]+\.[jt]s/],
  ['simulators', /packages\/sandbox\/(?:src|dist)\/(?!system)/],
  ['browsers', /chrom(?:e|ium)|--type=/],
  ['Postgres', /postgres/],
  ['NATS', /nats-server/],
];

/** The children of these are of the same kind, so that the seconds of those that no look has seen are known as well. */
const families: ReadonlySet<string> = new Set(['browsers', 'Postgres']);

export const kindOf = (commandLine: string): string => kinds.find(([, pattern]) => pattern.test(commandLine))?.[0] ?? 'other';

export interface Machine {
  processIds(): readonly number[];
  readProcess(pid: number): SeenProcess | null;
  commandLineOf(pid: number): string;
}

interface Known {
  readonly seen: SeenProcess;
  readonly kind: string;
}

/**
 * The last seen seconds of a process, and of all that it has started. One that waits for its children has all their seconds, so those that
 * no look has seen are known too.
 */
export class SecondsOfProcesses {
  readonly #machine: Machine;
  readonly #ours = new Map<number, Known>();
  readonly #ended = new Map<string, number>();
  /** Less the seconds that looks have seen of all that have ended. */
  #unseenOfEnded = 0;
  #others = new Set<number>();

  constructor(root: number, machine: Machine = { processIds, readProcess, commandLineOf }) {
    this.#machine = machine;
    const seen = machine.readProcess(root);
    if (!seen) return;
    this.#ours.set(root, { seen, kind: 'jest' });
    this.#ended.set('the set-up', seen.endedSeconds);
    this.#unseenOfEnded = -seen.endedSeconds;
  }

  look(): void {
    const ids = this.#machine.processIds();
    const seen = new Map<number, SeenProcess>();
    for (const pid of ids) {
      const one = this.#others.has(pid) ? null : this.#machine.readProcess(pid);
      if (one) seen.set(pid, one);
    }
    const ended = new Map([...this.#ours].filter(([pid, known]) => seen.get(pid)?.startedAt !== known.seen.startedAt));
    for (const pid of ended.keys()) this.#ours.delete(pid);
    for (const known of ended.values()) this.#noteEnd(known, ended);
    for (const one of seen.values()) if (this.#isOurs(one, seen)) this.#note(one);
    this.#others = new Set(ids.filter((pid) => !this.#ours.has(pid) && (seen.has(pid) || this.#others.has(pid))));
  }

  byKind(): ReadonlyMap<string, number> {
    const all = new Map(this.#ended);
    for (const one of this.#ours.values()) all.set(one.kind, (all.get(one.kind) ?? 0) + secondsOf(one));
    return all;
  }

  unseen(): number {
    return Math.max(
      0,
      [...this.#ours.values()].map(ofChildren).reduce((sum, one) => sum + one, this.#unseenOfEnded),
    );
  }

  #isOurs({ pid, parent }: SeenProcess, seen: ReadonlyMap<number, SeenProcess>): boolean {
    if (this.#ours.has(pid) || this.#ours.has(parent)) return true;
    const parentNow = seen.get(parent);
    return parentNow !== undefined && this.#isOurs(parentNow, seen);
  }

  #note(seen: SeenProcess): void {
    const before = this.#ours.get(seen.pid);
    const kind = before?.seen.name === seen.name ? before.kind : kindOf(this.#machine.commandLineOf(seen.pid));
    this.#ours.set(seen.pid, { seen, kind });
  }

  #noteEnd(known: Known, ended: ReadonlyMap<number, Known>): void {
    const { kind, seen } = known;
    // Parents mostly wait for their children, so the first of them that still runs has the seconds of all below it that have ended.
    let above = seen.parent;
    for (let one = ended.get(above); one; one = ended.get(above)) above = one.seen.parent;
    const ancestor = this.#ours.get(above);
    if (ancestor && families.has(ancestor.kind)) return;
    this.#ended.set(kind, (this.#ended.get(kind) ?? 0) + secondsOf(known));
    this.#unseenOfEnded += ofChildren(known) - (ancestor ? seen.ownSeconds + seen.endedSeconds : 0);
  }
}

const secondsOf = ({ kind, seen }: Known): number => seen.ownSeconds + (families.has(kind) ? seen.endedSeconds : 0);
const ofChildren = ({ kind, seen }: Known): number => (families.has(kind) ? 0 : seen.endedSeconds);
