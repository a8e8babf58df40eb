import type { AnyRpc, RpcCallInput, RpcOutput } from '@corner/contracts';

/** The services as an operator reaches them, by the command or by the console. */
export interface Platform {
  /** Calls an RPC. Rejects when the service does not reply or refuses. */
  call<Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>): Promise<RpcOutput<Q>>;
  /** Says why a call got no output. Throws an error that is not about one service. */
  whyNot(error: unknown): string;
}
