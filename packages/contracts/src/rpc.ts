import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { ServiceName } from './vocabulary.ts';

/**
 * Something one service asks another and waits for, over NATS request-reply. A question only speeds up or reserves:
 * whoever asks has a defined course when nobody answers in time.
 */
export interface RpcContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `<answerer>.<deed>`, for example `loyalty.award`. */
  readonly name: string;
  readonly service: ServiceName;
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  readonly problems: readonly ProblemCode[];
  /** Milliseconds the asker waits. */
  readonly deadlineMs: number;
}

/** Declares a question. */
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

/** The NATS subject a question is asked on. */
export const rpcSubject = (rpc: Pick<RpcContract, 'name'>): string => `rpc.${rpc.name}`;
