import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { secondsOfDescendants } from './processes.ts';

interface Results {
  readonly numFailedTests: number;
  readonly wasInterrupted: boolean;
  readonly testResults: readonly { readonly isRepeat?: boolean }[];
}

interface GlobalConfig {
  readonly rootDir: string;
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

type Kind = 'quick' | 'full';

export interface Recorded {
  readonly loopMs: number;
  readonly lines: readonly (Partial<Readonly<Record<Kind, number>>> & { readonly why: string })[];
}

const recordedFile = `${import.meta.dirname}/processor-seconds.json`;
const allowed = 0.1;

/**
 * jest's reporter of processor seconds. The full run fails when it, or the quick run before it, took a tenth above the last recorded line.
 * Machines differ, so a run counts only where a known loop takes as long as recorded and other programs are quiet.
 */
export default class ProcessorTime {
  readonly #globalConfig: GlobalConfig;
  readonly #busyAtStart = busySeconds();
  #failure: Error | undefined;

  constructor(globalConfig: GlobalConfig) {
    this.#globalConfig = globalConfig;
  }

  onRunComplete(_contexts: unknown, { numFailedTests, wasInterrupted, testResults }: Results): void {
    const kind = process.env.CORNER_TESTS;
    if (!isKind(kind) || wasInterrupted || numFailedTests > 0 || this.#globalConfig.testPathPatterns.patterns.length > 0) return;
    const seconds = secondsOfDescendants();
    if (seconds === null) return;
    const recorded: Recorded = JSON.parse(readFileSync(recordedFile, 'utf8'));
    const others = busySeconds() - this.#busyAtStart - seconds - process.cpuUsage().user / 1_000_000;
    const isRepeated = testResults.some(({ isRepeat }) => isRepeat);
    const why = isRepeated ? 'a file was run twice' : whyNotCompared(recorded, loopMs(), others / seconds);
    say(`\nThe ${kind} run took ${Math.round(seconds)} s of processor time${why === null ? '' : `, which is not compared: ${why}`}.\n`);
    const measured = keepMeasured(`${this.#globalConfig.rootDir}/.corner/processor-seconds`, kind, why === null ? seconds : null);
    const grown = kind === 'full' ? grownBeyond(recorded, measured) : [];
    if (grown.length === 0) return;
    const line = JSON.stringify({ ...recorded.lines.at(-1), ...measured, why: '…' });
    this.#failure = new Error(`${grown.join('\n')}\nMake the tests lighter, or add a line that says why to ${recordedFile}:\n${line}`);
    say(`\n${this.#failure.message}\n`);
  }

  getLastError(): Error | undefined {
    return this.#failure;
  }
}

const isKind = (kind: string | undefined): kind is Kind => kind === 'quick' || kind === 'full';
const say = (text: string) => void process.stderr.write(text);

export function grownBeyond({ lines }: Recorded, measured: Partial<Record<Kind, number>>): string[] {
  const last = lines.at(-1);
  return Object.entries(measured).flatMap(([kind, seconds]) => {
    const before = last?.[kind as Kind] ?? Number.POSITIVE_INFINITY;
    return seconds > before * (1 + allowed) ? [`The ${kind} run took ${seconds} s of processor time; recorded are ${before} s.`] : [];
  });
}

/** Returns null when the seconds may be compared. `others` is the share of other programs in the run. */
export function whyNotCompared(recorded: Recorded, loop: number, others: number): string | null {
  if (Math.abs(loop / recorded.loopMs - 1) > allowed) return `a loop took ${Math.round(loop)} ms and not ${recorded.loopMs}`;
  return others > allowed ? `other programs took ${Math.round(others * 100)} % of that beside it` : null;
}

/** Returns the known seconds of both kinds. Null forgets those of an earlier run. */
function keepMeasured(folder: string, kind: Kind, seconds: number | null): Partial<Record<Kind, number>> {
  mkdirSync(folder, { recursive: true });
  if (seconds === null) rmSync(`${folder}/${kind}`, { force: true });
  else writeFileSync(`${folder}/${kind}`, String(Math.round(seconds)));
  return Object.fromEntries(readdirSync(folder).map((name) => [name, Number(readFileSync(`${folder}/${name}`, 'utf8'))]));
}

/** Milliseconds of the processor for constant work, the least of five times. */
function loopMs(): number {
  const once = () => {
    const start = process.cpuUsage();
    let state = 1;
    const numbers = Array.from({ length: 200_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    });
    JSON.parse(JSON.stringify(numbers.toSorted((a, b) => a - b)));
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  return Math.min(...Array.from({ length: 5 }, once));
}

function busySeconds(): number {
  return cpus().reduce((all, { times }) => all + times.user + times.nice + times.sys + times.irq, 0) / 1_000;
}
