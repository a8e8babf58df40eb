import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { ConfigFault, type ProcessConfig } from './config.ts';
import { type Program, type RunningProgram, startProgram } from './start-program.ts';
import type { Log } from './telemetry/log.ts';

/** Seconds a stop may take before the process exits anyway. The next process repairs what was in progress. */
const stopSeconds = 10;

/**
 * Runs a program as the process's own and drains it on SIGTERM or SIGINT. Exits with 78 for a wrong configuration, with 1 for a failed
 * start.
 */
export async function run<Config extends ProcessConfig>(program: Program<Config>): Promise<void> {
  const { name } = program;
  // On a full disk, a warning of the runtime to one of these would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  collectGarbageEarly();
  const started = exitOnSignal(name);
  try {
    const running = await startProgram(program, { folder: join(dirname(process.argv[1] ?? ''), '..') });
    started();
    stopOnSignal(running);
    exitAtEnd(running);
    exitOnBug(running.log);
  } catch (error) {
    process.stderr.write(
      `${name}: ${error instanceof ConfigFault ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(error instanceof ConfigFault ? 78 : 1);
  }
}

/**
 * Makes V8 collect its old generation once it has doubled, not at several times its size: a service otherwise holds more garbage than data.
 */
export const collectGarbageEarly = (): void => setFlagsFromString('--heap-growing-percent=100');

/** Ends the process at once on a signal during its start: process 1 of a container needs a handler. Returns a function that removes it. */
function exitOnSignal(name: string): () => void {
  const exit = (signal: string) => {
    process.stderr.write(`${name}: ended by ${signal} while it started\n`);
    process.exit(0);
  };
  for (const signal of signals) process.on(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}

const signals = ['SIGTERM', 'SIGINT'] as const;

function stopOnSignal(running: RunningProgram): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), (running.drainSeconds + stopSeconds) * 1000).unref();
    void running.stop(signal).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of signals) process.on(signal, stop);
}

function exitAtEnd({ started, stop, log }: RunningProgram): void {
  void started.ended
    ?.catch((error: unknown) => {
      log.error({ err: error }, 'it could not be carried to its end');
      return 1;
    })
    .then(async (code) => {
      await stop('its end').catch(() => {});
      process.exit(code);
    });
}

/**
 * Exits on an error that no code handles. Logged here, because the runtime's own print includes the database row in question. Only a bug
 * may get here: a broken invariant, or a promise that no code awaits. Faults of the network, of Postgres and of NATS, and responses of
 * outside parties, however broken, end in errors of their own at their source. Libraries get only checked responses; `answers.test.ts` of
 * orders, `outsiders.test.ts` of notifications and `answers-of-issuer.test.ts` generate broken ones.
 */
function exitOnBug(log: Log): void {
  const exit = (message: string) => (error: unknown) => {
    log.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', exit('unhandled rejection'));
  process.on('uncaughtException', exit('uncaught exception'));
}
