import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Ended } from './protocol.ts';

interface TestFile {
  readonly path: string;
}

export interface RepeatSettings {
  /** Lists the repeated files that passed, a path a line, for all runs of a verdict. Without the file nothing is repeated. */
  readonly list: string | undefined;
  readonly rootDir: string;
  readonly say: (text: string) => void;
}

export interface RepeatMeans<File extends TestFile> {
  readonly runAlone: (file: File) => Promise<Ended>;
  readonly report: (file: File, ended: Ended) => Promise<void>;
  readonly isInterrupted: () => boolean;
}

export const systemTest = /\.system\.test\.ts$/;

const most = 2;

/**
 * Holds back the failures of files of whole systems, and runs these files once more when all others have ended: a busy machine may have
 * made them fail. Only the second result is reported. More failures than a verdict allows make it red, so then none of them is repeated.
 */
export class Repeats<File extends TestFile> {
  readonly #settings: RepeatSettings;
  readonly #held: { readonly file: File; readonly ended: Ended }[] = [];

  constructor(settings: RepeatSettings) {
    this.#settings = settings;
  }

  hold(file: File, ended: Ended): boolean {
    const { list, say } = this.#settings;
    if (list === undefined || !systemTest.test(file.path) || !hasFailed(ended)) return false;
    this.#held.push({ file, ended });
    say(`Failed, and may be run again when all other files have ended: ${this.#nameOf(file)}\n${whyFailed(ended)}\n`);
    return true;
  }

  async repeat({ runAlone, report, isInterrupted }: RepeatMeans<File>): Promise<void> {
    const { say } = this.#settings;
    const isTooMuch = this.#held.length > most - this.#countPassed();
    if (isTooMuch) say(`More files of whole systems failed than a verdict may repeat, which is ${most}: none runs again.\n`);
    for (const { file, ended } of this.#held) {
      if (isTooMuch || isInterrupted()) {
        await report(file, ended);
        continue;
      }
      say(`Runs again, alone: ${this.#nameOf(file)}\n`);
      const again = await runAlone(file);
      if (!hasFailed(again)) this.#notePassed(file);
      await report(file, 'result' in again ? { result: { ...again.result, isRepeat: true } } : again);
    }
  }

  #countPassed(): number {
    const { list } = this.#settings;
    return list === undefined ? 0 : readFileSync(list, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean).length;
  }

  #notePassed(file: File): void {
    if (this.#settings.list !== undefined) appendFileSync(this.#settings.list, `${this.#nameOf(file)}\n`);
  }

  #nameOf(file: File): string {
    return relative(this.#settings.rootDir, file.path);
  }
}

function hasFailed(ended: Ended): boolean {
  return 'error' in ended || ended.result.numFailingTests > 0 || Boolean(ended.result.testExecError);
}

const whyFailed = (ended: Ended): string => ('error' in ended ? ended.error.stack : (ended.result.failureMessage ?? ''));
