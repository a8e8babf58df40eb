import { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { ServiceName } from './vocabulary.ts';

/**
 * A call from one service to another over NATS request-reply. An RPC only speeds something up or reserves something:
 * the caller must know what to do when no reply arrives in time.
 */
export interface RpcContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly service: ServiceName;
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  readonly problems: readonly ProblemCode[];
  /** Only operators call it. Its subject holds the operator's name, which the broker's permissions vouch for. */
  readonly operator?: true;
  /** Milliseconds that the caller waits for the reply. */
  readonly deadlineMs: number;
}

export function defineRpc<Input extends z.ZodType, Output extends z.ZodType>(
  contract: RpcContract<Input, Output>,
): RpcContract<Input, Output> {
  return contract;
}

// biome-ignore lint/suspicious/noExplicitAny: a contract of any shape
export type AnyRpc = RpcContract<any, any>;
export type RpcInput<Q> = Q extends RpcContract<infer A, z.ZodType> ? z.output<A> : never;
export type RpcCallInput<Q> = Q extends RpcContract<infer A, z.ZodType> ? z.input<A> : never;
export type RpcOutput<Q> = Q extends RpcContract<z.ZodType, infer A> ? z.output<A> : never;

export const RpcReply = z.union([z.object({ output: z.unknown() }), z.object({ problem: z.string(), message: z.string() })]);
export type RpcReply = z.output<typeof RpcReply>;

/**
 * Returns the NATS subject of an RPC. For an operator RPC it holds the operator's name, which is one token; without a name it is the
 * pattern of all names, which the serving service subscribes to.
 */
export const rpcSubject = (rpc: Pick<RpcContract, 'name' | 'operator'>, operator = '*'): string =>
  rpc.operator ? `operator.${operator}.${rpc.name}` : `rpc.${rpc.name}`;

/** Every replica receives requests on this subject, for when the replica that NATS chose does not reply. */
export const everyReplicaSubject = ({ name }: Pick<RpcContract, 'name'>): string => `rpc.${name}.all`;

/** Returns the operator's name in the subject of a request; undefined for an RPC that is not for operators. */
export const operatorIn = (subject: string): string | undefined => {
  const [kind = '', name] = subject.split('.');
  return kind.endsWith('operator') ? name : undefined;
};

/** The console's server as an operator; it names the person behind a request. */
export const consoleUser = 'console';

/**
 * Returns the operator on record for a call: the name in the subject, whatever the request says. The console vouches for the person that
 * its requests name: `console:<person>`.
 */
export const recordedOperator = (inSubject: string, named: unknown): string =>
  inSubject === consoleUser && named !== undefined ? `${consoleUser}:${String(named)}` : inSubject;

/** Returns the subject of the person named in {@link recordedOperator}; undefined for an operator who made the call directly. */
export const namedByConsole = (recorded: string): string | undefined =>
  recorded.startsWith(`${consoleUser}:`) ? recorded.slice(consoleUser.length + 1) : undefined;
