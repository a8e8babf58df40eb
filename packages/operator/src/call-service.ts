import { type AnyRpc, type RpcCallInput, type RpcOutput, RpcReply, readStatus, rpcSubject, type ServiceName } from '@corner/contracts';
import { RequestError } from '@nats-io/transport-node';

export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refused';
    this.code = code;
  }
}

export interface CallerOfServices {
  readonly connection: {
    request(subject: string, body: string, options: { readonly timeout: number }): Promise<{ json(): unknown }>;
  };
  readonly namespace: string;
  readonly operator?: string;
}

/**
 * Calls an RPC of a service from outside the platform. `operator` is the name of its NATS user where there are users. Rejects with
 * {@link Refused}, or with the connection's error without a reply in time.
 */
export async function callService<Q extends AnyRpc>(
  { connection, namespace, operator = 'operator' }: CallerOfServices,
  rpc: Q,
  input: RpcCallInput<Q>,
): Promise<RpcOutput<Q>> {
  const subject = `${namespace}${rpcSubject(rpc, operator)}`;
  const message = await connection.request(subject, JSON.stringify(input), { timeout: rpc.deadlineMs });
  const reply = RpcReply.parse(message.json());
  if ('problem' in reply) throw new Refused(reply.problem, reply.message);
  return rpc.output.parse(reply.output);
}

export type Caller = <Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>) => Promise<RpcOutput<Q>>;

export const callerOf =
  (to: CallerOfServices): Caller =>
  (rpc, input) =>
    callService(to, rpc, input);

/** Returns whether a directory service replies. Throws where the NATS user may not call it, as that of an upstream. */
export async function directoryReplies(call: Caller): Promise<boolean> {
  try {
    await call(readStatus('directory'), {});
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.isNoResponders()) return false;
    throw error;
  }
}

export interface Platform {
  /** Without those that the deployment leaves out. */
  readonly services: readonly ServiceName[];
  call<Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>): Promise<RpcOutput<Q>>;
  /** Returns why a call had no output. Throws an error that is not about one service. */
  whyNot(error: unknown): string;
}
