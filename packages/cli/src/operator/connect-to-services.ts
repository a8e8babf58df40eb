import { userInfo } from 'node:os';
import { type AnyRpc, type RpcCallInput, type RpcOutput, type ServiceName, services, servicesWithout } from '@corner/contracts';
import { callService, type Platform, Refused, readRunFile, runFileIn } from '@corner/operator';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dataFolder, withDataFolder } from '../options.ts';
import { describeFaults, Failure, Misuse } from '../screen/failure.ts';
import { connectToNats, type NatsOptions } from './connect-to-nats.ts';

export interface ConnectionOptions extends NatsOptions {
  readonly namespace?: string;
  readonly by?: string;
}

export const withConnectionOptions = (command: Command): Command =>
  withDataFolder(command)
    .option('--nats <address>', 'the NATS server, or several separated by commas (default: NATS_URL, or that of the running system)')
    .option('--namespace <prefix>', 'the prefix of NATS subjects (default: NATS_NAMESPACE)')
    .option('--json', 'print it as JSON');

export const serviceOption = (description: string): Option => new Option('--service <name>', description).choices([...services]);

export const isOperatorName = (name: string): boolean => /^[^\s.*>]+$/.test(name);

function parseOperatorName(text: string): string {
  if (!isOperatorName(text)) throw new InvalidArgumentError('A name has no spaces, dots, asterisks and angle brackets.');
  return text;
}

export const operatorName = (): string => (process.env.NATS_USER || userInfo().username).replace(/[\s.*>]+/g, '-');

export const byOption = (): Option =>
  new Option('--by <name>', 'your name, for the record; where NATS has users, only that of your user is accepted')
    .argParser(parseOperatorName)
    .default(operatorName(), 'NATS_USER, or your user name on this machine');

type RpcResult<T> =
  | { readonly service: ServiceName; readonly output: T; readonly error?: never }
  | { readonly service: ServiceName; readonly error: string; readonly output?: never };

export interface Services extends Platform, AsyncDisposable {
  callEach<Q extends AnyRpc>(
    names: readonly ServiceName[],
    rpc: (service: ServiceName) => Q,
    input: RpcCallInput<Q>,
  ): Promise<RpcResult<RpcOutput<Q>>[]>;
}

/** Reads SERVICES_LEFT_OUT, or the running system of the data folder. Throws a {@link Misuse} for a wrong name. */
export function servicesOf(options: ConnectionOptions): readonly ServiceName[] {
  const leftOut = process.env.SERVICES_LEFT_OUT;
  const ofOthers = options.nats ?? process.env.NATS_URL;
  const run = leftOut || ofOthers ? null : readRunFile(runFileIn(dataFolder(options)));
  if (run) return services.filter((name) => name in run.services);
  try {
    return servicesWithout(leftOut);
  } catch (cause) {
    throw new Misuse('no service was called', `SERVICES_LEFT_OUT ${(cause as Error).message}`, { cause });
  }
}

export async function connectToServices(options: ConnectionOptions): Promise<Services> {
  const namespace = options.namespace ?? process.env.NATS_NAMESPACE ?? '';
  const connection = await connectToNats(options, { name: 'corner operator', what: 'no service was called' });
  const call: Services['call'] = async (rpc, input) => {
    checkInput(rpc, input);
    try {
      return await callService({ connection, namespace, operator: options.by ?? operatorName() }, rpc, input);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      if (cause instanceof Refused && cause.code === 'VALIDATION_FAILED')
        throw new Misuse(`${rpc.service} did not accept the request`, why, { cause });
      throw new Failure(`${rpc.service} did not reply`, why, 'npx corner status, then the same command again: a repeat is safe', { cause });
    }
  };
  return {
    services: servicesOf(options),
    call,
    whyNot,
    callEach: (names, rpc, input) =>
      Promise.all(
        names.map(async (service) => {
          try {
            return { service, output: await call(rpc(service), input) };
          } catch (error) {
            return { service, error: whyNot(error) };
          }
        }),
      ),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

function whyNot(error: unknown): string {
  if (error instanceof Misuse) throw error;
  return error instanceof Failure ? error.why : String(error);
}

function checkInput(rpc: AnyRpc, input: unknown): void {
  const { error } = rpc.input.safeParse(input);
  if (error) throw new Misuse('nothing was done', describeFaults(error), { cause: error });
}
