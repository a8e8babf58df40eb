import { AlreadyRunning, type RunningSystem, readRunFile, runFileIn, startSystem } from '@corner/sandbox';
import { Failure } from './failure.ts';
import { faint, green, type Output, seconds } from './output.ts';
import { createStartScreen } from './screen/start-screen.ts';
import { version } from './version.ts';

export interface BringUpOptions {
  /** Shows nothing. */
  readonly quiet: boolean;
  /** Leaves out what to do next. */
  readonly hints?: boolean;
  /** Gives up the start, and stops what had been started. */
  readonly stop: AbortSignal;
}

/** Starts the system and shows it coming up. Throws a {@link Failure} that says what to do. */
export async function bringUp(dataDir: string, output: Output, { quiet, hints = true, stop }: BringUpOptions): Promise<RunningSystem> {
  const began = performance.now();
  const screen = createStartScreen(quiet ? { live: false, columns: 80, write: () => {}, json: () => {} } : output);
  const relative = dataDir.startsWith(`${process.cwd()}/`) ? `${dataDir.slice(process.cwd().length + 1)}/` : dataDir;
  if (!quiet) output.write(`\n  corner ${version}    node ${process.versions.node.split('.')[0]}    data ${relative}\n`);
  try {
    const system = await startSystem({ dataDir, report: screen.show, say: screen.say, keepRunning: true, stop });
    screen.settle();
    if (!quiet)
      output.write(`  ${green(output, 'Ready')} in ${seconds(performance.now() - began)}\n${hints ? `\n${whatNext(system, output)}` : ''}`);
    return system;
  } catch (error) {
    if (stop.aborted)
      throw new Failure('corner was not started', `${(stop.reason as Error).message} came first`, 'npm start', { cause: error });
    throw failureOf(error, dataDir);
  }
}

function whatNext({ run }: RunningSystem, output: Output): string {
  const who = { ana: 'customer', bo: 'merchant', cy: 'staff' } as const;
  const tokens = Object.entries(run.tokens).map(
    ([name, token]) => `    ${name} (${who[name as keyof typeof who]})`.padEnd(19) + faint(output, token),
  );
  return [
    `  Docs      ${run.docs}       Errors  ${run.docs}/errors`,
    `  Inbox     ${run.messages}/      what customers are sent: npx corner inbox --follow`,
    '  Try it    npm run try',
    `  Tokens    valid for 12 hours; more: npx corner token --help`,
    ...tokens,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

function failureOf(error: unknown, dataDir: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AlreadyRunning) {
    const at = readRunFile(runFileIn(dataDir))?.gateway;
    return new Failure('corner runs here already', `process ${error.pid} has ${dataDir}${at ? `, at ${at}` : ''}`, 'npx corner stop', {
      cause: error,
    });
  }
  return new Failure('corner did not start', error instanceof Error ? error.message : String(error), 'npx corner doctor', { cause: error });
}
