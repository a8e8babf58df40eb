import { readFileSync } from 'node:fs';
import type { Ended, Task } from './protocol.ts';
import { TestProcess } from './test-process.ts';

/** A test file, as jest hands it to a runner. */
interface TestFile {
  readonly path: string;
  readonly context: { readonly config: Task['projectConfig'] };
}

/** What this reads of jest's configuration. */
interface GlobalConfig {
  readonly maxWorkers: number;
}

/** Says that a test file must not share its process, with the reason. */
const ownProcess = /^\/\/ In a process of its own: /m;

/**
 * jest's runner here: files run one after another in processes that keep the modules they have loaded, instead of in contexts that load
 * everything again for each file. A file that says so gets a process of its own.
 */
export default class Runner {
  readonly #globalConfig: GlobalConfig;

  constructor(globalConfig: GlobalConfig) {
    this.#globalConfig = globalConfig;
  }

  /** Runs the files, each as soon as a process is free, and resolves when the processes have ended. */
  async runTests(
    tests: readonly TestFile[],
    watcher: { isInterrupted(): boolean },
    onStart: (test: TestFile) => Promise<void>,
    onResult: (test: TestFile, result: object) => Promise<void>,
    onFailure: (test: TestFile, error: object) => Promise<void>,
  ): Promise<void> {
    const queue = [...tests];
    const work = async () => {
      let shared: TestProcess | undefined;
      for (let test = queue.shift(); test && !watcher.isInterrupted(); test = queue.shift()) {
        await onStart(test);
        const alone = ownProcess.test(readFileSync(test.path, 'utf8'));
        const process = alone || !shared?.isUsable ? new TestProcess() : shared;
        if (!alone && process !== shared) {
          await shared?.end();
          shared = process;
        }
        const ended = await this.#run(process, test);
        if (alone) await process.end();
        if ('result' in ended) await onResult(test, ended.result);
        else await onFailure(test, ended.error);
      }
      await shared?.end();
    };
    await Promise.all(Array.from({ length: Math.min(this.#globalConfig.maxWorkers, tests.length) }, work));
  }

  async #run(process: TestProcess, { path, context }: TestFile): Promise<Ended> {
    return await process.run({ path, globalConfig: this.#globalConfig, projectConfig: context.config });
  }
}
