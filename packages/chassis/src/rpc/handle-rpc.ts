import type { AnyRpc, RpcInput, RpcOutput } from '@corner/contracts';

export interface RpcHandler<Context> {
  readonly rpc: AnyRpc;
  // biome-ignore lint/suspicious/noExplicitAny: each handler narrows it to its own RPC
  readonly run: (input: any, context: Context) => Promise<unknown>;
}

export type RpcHandlers<Context> = Readonly<Record<string, RpcHandler<Context>>>;

/**
 * Declares an RPC's handler, which returns the output or throws a Problem that the contract lists. It must be idempotent on the key in its
 * input, because a caller may repeat.
 */
export function handleRpc<Q extends AnyRpc, Context = unknown>(
  rpc: Q,
  run: (input: RpcInput<Q>, context: Context) => Promise<RpcOutput<Q>>,
): RpcHandler<Context> {
  return { rpc, run };
}
