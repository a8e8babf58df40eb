import { readFileSync } from 'node:fs';
import { type OptionalService, optionalServices, type ServiceName } from '@corner/contracts';
import { readRunFile, runFileIn } from '@corner/operator';
import { PortTaken } from '@corner/sandbox/servers';
import { AlreadyRunning, ProcessEnded, type RunningSystem, startSystem } from '@corner/sandbox/system';
import { checkout } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { green, type Output, seconds } from '../../screen/output.ts';
import { portOwner } from './port-owner.ts';
import { createStartScreen } from './start-screen.ts';

export const version: string = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')).version;

export interface BringUpOptions {
  readonly quiet: boolean;
  readonly hints?: boolean;
  readonly port?: number | undefined;
  readonly empty?: boolean | undefined;
  readonly fromSource?: boolean | undefined;
  readonly without?: readonly OptionalService[] | undefined;
  readonly only?: readonly ServiceName[] | undefined;
  readonly stop: AbortSignal;
}

export async function bringUp(
  dataDir: string,
  output: Output,
  { quiet, hints = true, stop, port, empty = false, fromSource = false, without = [], only }: BringUpOptions,
): Promise<RunningSystem> {
  const startedAt = performance.now();
  const screen = createStartScreen(quiet ? { live: false, columns: 80, write: () => {}, json: () => {} } : output);
  const relative = dataDir.startsWith(`${process.cwd()}/`) ? `${dataDir.slice(process.cwd().length + 1)}/` : dataDir;
  if (!quiet) output.write(`\n  corner ${version}    node ${process.versions.node.split('.')[0]}    data ${relative}\n`);
  try {
    const system = await startSystem({
      dataDir,
      report: screen.show,
      say: screen.say,
      keepRunning: true,
      console: !only,
      shop: !only,
      only,
      optional: optionalServices.filter((name) => !without.includes(name)),
      stop,
      gatewayPort: port,
      fromSource,
      ...(empty ? { directory: null } : {}),
    });
    screen.settle();
    if (!quiet)
      output.write(
        `  ${green(output, 'Ready')} in ${seconds(performance.now() - startedAt)}\n${hints ? `\n${nextSteps(system, { empty, only })}` : ''}`,
      );
    return system;
  } catch (error) {
    if (stop.aborted)
      throw new Failure('corner was not started', `it was interrupted: ${(stop.reason as Error).message}`, 'npm start', { cause: error });
    throw toStartFailure(error, dataDir);
  }
}

const consoleAbout = 'for operators, merchants and staff; sign in as a person of the demo, or as someone new';

function nextSteps({ run }: RunningSystem, { empty, only }: Required<Pick<BringUpOptions, 'empty' | 'only'>>): string {
  const console = empty ? 'begin here: sign in as someone new, and open a shop' : consoleAbout;
  const commands = [
    only
      ? ['Events', 'npx corner events play', 'publishes a recorded event of another service: npx corner events play --help']
      : ['Try it', 'npm run try', 'one order, step by step; your own app: npx corner new app ../my-app'],
    ['Tokens', 'npx corner token customer', 'also merchant and staff'],
  ];
  const rows = [
    ['Docs', run.docs, 'a guide, and every operation to try'],
    ...(run.shop && !empty ? [['Shop', `${run.shop}/s/${run.stores[0]?.code}`, 'what a customer opens']] : []),
    ...(run.console ? [['Console', run.console, console]] : []),
    ...(run.messages ? [['Inbox', run.messages, 'messages to customers; also: npx corner inbox --follow']] : []),
    ...(empty && run.console ? [['Order', 'Sandbox, in the console', 'places and pays an order in your shop, as a guest']] : []),
    ...(empty ? [] : commands),
  ];
  return [
    ...rows.map(([name = '', place = '', about = '']) => `  ${name.padEnd(10)}${place.padEnd(28)}${about}`),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

function toStartFailure(error: unknown, dataDir: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AlreadyRunning) {
    const at = readRunFile(runFileIn(dataDir))?.gateway;
    return new Failure('corner is already running', `process ${error.pid} uses ${dataDir}${at ? `, at ${at}` : ''}`, 'npx corner stop', {
      cause: error,
    });
  }
  if (error instanceof PortTaken) {
    const owner = portOwner(error.port);
    const by =
      owner === null
        ? 'it was in use a moment ago'
        : `used by ${owner.pid === null ? owner.command : `process ${owner.pid}: ${owner.command}`}`;
    return new Failure('corner did not start', `${error.message}: ${by}`, 'npx corner start, which takes another port where one is taken', {
      cause: error,
    });
  }
  if (error instanceof ProcessEnded)
    return new Failure('corner did not start', error.message, `npx corner doctor, or read ${error.logFile}`, { cause: error });
  return new Failure('corner did not start', error instanceof Error ? error.message : String(error), 'npx corner doctor', { cause: error });
}
