import { readFileSync } from 'node:fs';
import type { Ended, Task } from './protocol.ts';
import { Repeats, systemTest } from './repeats.ts';
import { TestProcess } from './test-process.ts';

interface TestFile {
  readonly path: string;
  readonly context: { readonly config: Task['projectConfig'] };
}

interface GlobalConfig {
  readonly maxWorkers: number;
  readonly rootDir: string;
}

const ownProcess = /^\/\/ In a process of its own: /m;
const sharedPlatform = /\bsharedEnvironment\(/;

/**
 * Files run one after another in processes that keep their modules. A file may ask for its own process. Tests of whole systems come first,
 * and a process that has a platform takes the files that share it.
 */
export default class Runner {
  readonly #globalConfig: GlobalConfig;

  constructor(globalConfig: GlobalConfig) {
    this.#globalConfig = globalConfig;
  }

  async runTests(
    tests: readonly TestFile[],
    watcher: { isInterrupted(): boolean },
    onStart: (test: TestFile) => Promise<void>,
    onResult: (test: TestFile, result: object) => Promise<void>,
    onFailure: (test: TestFile, error: object) => Promise<void>,
  ): Promise<void> {
    const queue = new Queue(tests);
    const isInterrupted = () => watcher.isInterrupted();
    const report = async (test: TestFile, ended: Ended) => {
      if ('result' in ended) await onResult(test, ended.result);
      else await onFailure(test, ended.error);
    };
    const repeats = new Repeats<TestFile>({
      list: process.env.CORNER_REPEATED_FILES,
      rootDir: this.#globalConfig.rootDir,
      say: (text) => void process.stderr.write(text),
    });
    const work = async () => {
      let shared: TestProcess | undefined;
      let hasPlatform = false;
      for (let next = queue.take(hasPlatform); next && !isInterrupted(); next = queue.take(hasPlatform)) {
        const { test, alone, usesPlatform } = next;
        await onStart(test);
        const testProcess = alone || !shared?.isUsable || (hasPlatform && !usesPlatform) ? new TestProcess() : shared;
        if (!alone && testProcess !== shared) {
          await shared?.end();
          shared = testProcess;
          hasPlatform = false;
        }
        hasPlatform ||= usesPlatform;
        const ended = await this.#run(testProcess, test);
        if (alone) await testProcess.end();
        if (!repeats.hold(test, ended)) await report(test, ended);
      }
      await shared?.end();
    };
    await Promise.all(Array.from({ length: Math.min(this.#globalConfig.maxWorkers, tests.length) }, work));
    await repeats.repeat({ runAlone: (test) => this.#runAlone(test), report, isInterrupted });
  }

  async #runAlone(test: TestFile): Promise<Ended> {
    const own = new TestProcess();
    const ended = await this.#run(own, test);
    await own.end();
    return ended;
  }

  async #run(testProcess: TestProcess, { path, context }: TestFile): Promise<Ended> {
    return await testProcess.run({ path, globalConfig: this.#globalConfig, projectConfig: context.config });
  }
}

interface Waiting {
  readonly test: TestFile;
  readonly alone: boolean;
  readonly usesPlatform: boolean;
}

/** Tests of whole systems first, then those that take a process of their own, which no other work may wait for at the end. */
class Queue {
  readonly #waiting: Waiting[];
  #hasPlatform = false;

  constructor(tests: readonly TestFile[]) {
    const waiting = tests.map((test) => {
      const text = readFileSync(test.path, 'utf8');
      return { test, alone: ownProcess.test(text), usesPlatform: sharedPlatform.test(text) };
    });
    const rank = ({ test, alone }: Waiting) => (systemTest.test(test.path) ? 0 : alone ? 1 : 2);
    this.#waiting = waiting.toSorted((a, b) => rank(a) - rank(b));
  }

  /** Returns undefined when there is none. Another process starts a platform only when nothing else is left to do. */
  take(hasPlatform: boolean): Waiting | undefined {
    const wanted = hasPlatform || !this.#hasPlatform;
    const index = this.#waiting.findIndex(({ usesPlatform }) => usesPlatform === wanted);
    const [next] = this.#waiting.splice(Math.max(index, 0), 1);
    this.#hasPlatform ||= next?.usesPlatform ?? false;
    return next;
  }
}
