import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Answer, Task, TestFileResult } from './protocol.ts';

// A process in which test files run one after another with jest-circus; but modules are Node's real ones, loaded once for all of them.

declare global {
  var cornerTestGlobals: Record<string, unknown>;
}

type Circus = (
  globalConfig: Task['globalConfig'],
  projectConfig: Task['projectConfig'],
  environment: object,
  runtime: object,
  path: string,
) => Promise<TestFileResult>;

interface CircusEvent {
  readonly name: string;
  readonly hook?: { readonly timeout?: number };
  readonly test?: { readonly timeout?: number };
}

const paths: string[] = [];
const initialEnvironment = { ...process.env };
const say = (answer: Answer) => void process.send?.(answer);

const fastChecks = new Set<string>();

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') {
      return { url: `${new URL('./globals.ts', import.meta.url).href}?${paths.length}`, shortCircuit: true };
    }
    const found = next(specifier, context);
    if (specifier === 'fast-check') fastChecks.add(found.url);
    return found;
  },
});
Error.stackTraceLimit = 100;
// A process compiles what no process before it has compiled.
enableCompileCache(fileURLToPath(new URL('../../.corner/cache/compiled', import.meta.url)));

process.on('message', async (task: Task) => {
  paths.push(task.path);
  try {
    say({ result: await run(task) });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    say({ error: { message, stack: stack ?? message, type: 'Error' } });
  }
});
// The runner has no more files. What still goes on now was left open by one of them; a run does not wait for it.
process.once('disconnect', () => setTimeout(endWithWhatIsOpen, 30_000).unref());

async function run({ path, globalConfig, projectConfig }: Task): Promise<TestFileResult> {
  restoreEnvironment();
  const require = createRequire(projectConfig.testRunner);
  // Circus keeps its tests and handlers in its module and on the global object: each file starts with none.
  delete require.cache[join(dirname(projectConfig.testRunner), 'jestAdapterInit.js')];
  for (const name of ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL']) Reflect.deleteProperty(globalThis, Symbol.for(name));
  const runtime = {
    requireInternalModule: require,
    requireModule: require,
    setGlobalsForRuntime: (given: Record<string, unknown>) => {
      globalThis.cornerTestGlobals = given;
    },
    unstable_shouldLoadAsEsm: () => true,
    async unstable_importModule(file: string) {
      const module = await import(pathToFileURL(file).href);
      await fixSeeds();
      return module;
    },
    enterTestCode() {},
    leaveTestCode() {},
  };
  const environment = {
    global: globalThis,
    handleTestEvent({ name, hook, test }: CircusEvent, { testTimeout }: { readonly testTimeout: number }) {
      if (name === 'hook_start') say({ due: hook?.timeout ?? testTimeout });
      else if (name === 'test_fn_start') say({ due: test?.timeout ?? testTimeout });
    },
  };
  const circus: Circus = require(projectConfig.testRunner).default;
  const start = Date.now();
  // Not awaited itself, so that no stack of a failed test leads here.
  const result = await new Promise<TestFileResult>((resolve, reject) => {
    circus(globalConfig, projectConfig, environment, runtime, path).then(resolve, reject);
  });
  const end = Date.now();
  return {
    ...result,
    testFilePath: path,
    leaks: false,
    skipped: result.testResults.every(({ status }) => status === 'pending'),
    perfStats: { ...result.perfStats, start, end, runtime: end - start, slow: false },
  };
}

/** The same seed for fast-check in each run, so that no run fails by chance. FAST_CHECK_SEED is another. */
async function fixSeeds(): Promise<void> {
  const seed = Number(initialEnvironment.FAST_CHECK_SEED ?? 1);
  for (const url of fastChecks) (await import(url)).configureGlobal({ seed });
}

function restoreEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!(name in initialEnvironment)) delete process.env[name];
  Object.assign(process.env, initialEnvironment);
}

function endWithWhatIsOpen(): void {
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
  process.stderr.write(`One of these test files has left something open (${open}):\n${paths.join('\n')}\n`);
  process.exit();
}
