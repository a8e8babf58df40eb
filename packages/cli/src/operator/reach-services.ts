import { userInfo } from 'node:os';
import { type AnyRpc, type RpcCallInput, type RpcOutput, type ServiceName, services } from '@corner/contracts';
import { callService, connectNats, Refused, readRunFile, runFileIn } from '@corner/sandbox';
import { type Command, Option } from 'commander';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';

/** How a command finds the services: the broker is all it needs. */
export interface Where {
  readonly data: string;
  readonly nats?: string;
  readonly namespace?: string;
}

/** Adds the options that say where the services are. */
export const withServices = (command: Command): Command =>
  withDataFolder(command)
    .option('--nats <address>', 'the broker of a deployment; NATS_URL, or the system of this checkout, when absent')
    .option('--namespace <prefix>', 'the prefix of its subjects; NATS_NAMESPACE when absent')
    .option('--json', 'print it as JSON');

/** The option that names a service. */
export const serviceOption = (description: string): Option => new Option('--service <name>', description).choices([...services]);

/** The option that says who does it, for the record. */
export const byOption = (): Option =>
  new Option('--by <name>', 'who does it, for the record').default(userInfo().username, 'who you are on this machine');

/** What one service made of a question. */
export type Said<T> =
  | { readonly service: ServiceName; readonly answer: T; readonly fault?: never }
  | { readonly service: ServiceName; readonly fault: string; readonly answer?: never };

/** The services, as an operator reaches them. */
export interface Services extends AsyncDisposable {
  /** Rejects with a {@link Failure} when the service does not answer, or refuses. */
  call<Q extends AnyRpc>(rpc: Q, call: RpcCallInput<Q>): Promise<RpcOutput<Q>>;
  /** Asks several at once; one that does not answer says so in its place. */
  callEach<Q extends AnyRpc>(
    names: readonly ServiceName[],
    rpc: (service: ServiceName) => Q,
    call: RpcCallInput<Q>,
  ): Promise<Said<RpcOutput<Q>>[]>;
}

/** Connects to the broker. Throws a {@link Failure} that says how to name one. */
export async function reachServices(where: Where): Promise<Services> {
  const address = where.nats ?? process.env.NATS_URL ?? readRunFile(runFileIn(dataFolder(where)))?.nats;
  if (!address)
    throw new Failure('no service was asked', 'no running system is known here', 'npm start, or name the broker: --nats nats://host:4222');
  const namespace = where.namespace ?? process.env.NATS_NAMESPACE ?? '';
  const connection = await connectNats(address, 'corner operator').catch((cause: Error) => {
    throw new Failure('no service was asked', cause.message, 'npx corner doctor, or name another broker: --nats nats://host:4222', {
      cause,
    });
  });
  const call: Services['call'] = async (rpc, input) => {
    try {
      return await callService({ connection, namespace }, rpc, input);
    } catch (cause) {
      const refused = cause instanceof Refused && cause.code === 'VALIDATION_FAILED';
      throw new Failure(
        refused ? `${rpc.service} would not do that` : `${rpc.service} did not answer`,
        cause instanceof Error ? cause.message : String(cause),
        refused ? 'npx corner help' : 'npx corner status, and the same command again: it does nothing twice',
        { cause },
      );
    }
  };
  return {
    call,
    callEach: (names, rpc, input) =>
      Promise.all(
        names.map(async (service) => {
          try {
            return { service, answer: await call(rpc(service), input) };
          } catch (error) {
            return { service, fault: error instanceof Failure ? error.why : String(error) };
          }
        }),
      ),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
