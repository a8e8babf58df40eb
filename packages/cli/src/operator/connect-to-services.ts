import { userInfo } from 'node:os';
import { type AnyRpc, type RpcCallInput, type RpcOutput, type ServiceName, services } from '@corner/contracts';
import type { Platform } from '@corner/nats';
import { callService, connectNats, loginIn, Refused, readRunFile, runFileIn } from '@corner/sandbox';
import { type Command, Option } from 'commander';
import { dataFolder, withDataFolder } from '../arguments/data-folder.ts';
import { describeFaults, Failure, Misuse } from '../screen/failure.ts';

/** The options by which a command finds the NATS server, and through it the services. */
export interface ConnectionOptions {
  readonly data: string;
  readonly nats?: string;
  readonly namespace?: string;
  /** The operator, where the command asks for a name. */
  readonly by?: string;
}

/** Adds the connection options to a command. */
export const withConnectionOptions = (command: Command): Command =>
  withDataFolder(command)
    .option('--nats <address>', 'the NATS server, or several separated by commas (default: NATS_URL, or that of the running system)')
    .option('--namespace <prefix>', 'the prefix of NATS subjects (default: NATS_NAMESPACE)')
    .option('--json', 'print it as JSON');

/** The option `--service`. */
export const serviceOption = (description: string): Option => new Option('--service <name>', description).choices([...services]);

/** The option `--by`. */
export const byOption = (): Option =>
  new Option('--by <name>', 'your name, for the record; where NATS has users, only that of your user is accepted').default(
    operatorName(),
    'NATS_USER, or your user name on this machine',
  );

/** A name in the form that a subject can hold. */
const operatorName = (): string => (process.env.NATS_USER || userInfo().username).replace(/[\s.*>]+/g, '-');

/** The result of a call to one service. */
export type RpcResult<T> =
  | { readonly service: ServiceName; readonly output: T; readonly error?: never }
  | { readonly service: ServiceName; readonly error: string; readonly output?: never };

/** Calls to the services' RPCs. */
export interface Services extends Platform, AsyncDisposable {
  /** Calls several services at once. The result of each is its output or its error. */
  callEach<Q extends AnyRpc>(
    names: readonly ServiceName[],
    rpc: (service: ServiceName) => Q,
    input: RpcCallInput<Q>,
  ): Promise<RpcResult<RpcOutput<Q>>[]>;
}

/** Connects to the NATS server. Throws a {@link Failure} when none is known or it cannot be reached. */
export async function connectToServices(options: ConnectionOptions): Promise<Services> {
  const address = options.nats ?? process.env.NATS_URL ?? readRunFile(runFileIn(dataFolder(options)))?.nats;
  if (!address)
    throw new Failure(
      'no service was called',
      'no running system was found',
      'npm start, or name the NATS server: --nats nats://host:4222',
    );
  const namespace = options.namespace ?? process.env.NATS_NAMESPACE ?? '';
  const connection = await connectToNats(address).catch((cause: Error) => {
    throw new Failure('no service was called', cause.message, 'npx corner doctor, or name another NATS server: --nats nats://host:4222', {
      cause,
    });
  });
  const call: Services['call'] = async (rpc, input) => {
    checkInput(rpc, input);
    try {
      return await callService({ connection, namespace, operator: options.by ?? operatorName() }, rpc, input);
    } catch (cause) {
      const refused = cause instanceof Refused && cause.code === 'VALIDATION_FAILED';
      throw new Failure(
        refused ? `${rpc.service} did not accept the request` : `${rpc.service} did not reply`,
        cause instanceof Error ? cause.message : String(cause),
        refused ? 'npx corner help' : 'npx corner status, then the same command again: a repeat is safe',
        { cause },
      );
    }
  };
  return {
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

/** Throws a {@link Misuse}: what cannot be asked of any service is not the fault of one. */
function whyNot(error: unknown): string {
  if (error instanceof Misuse) throw error;
  return error instanceof Failure ? error.why : String(error);
}

/** Connects with the login in the environment: NATS_USER, NATS_CREDENTIALS_FILE and the others of a service. */
const connectToNats = async (address: string) => await connectNats(address, 'corner operator', loginIn(process.env));

/** Throws a {@link Misuse} when the contract does not allow the input. The services would all refuse it. */
function checkInput(rpc: AnyRpc, input: unknown): void {
  const { error } = rpc.input.safeParse(input);
  if (error) throw new Misuse('nothing was done', describeFaults(error), 'npx corner help, for what the command takes', { cause: error });
}
