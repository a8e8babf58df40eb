import { type AnyRpc, type RpcCallInput, type RpcOutput, rpcSubject } from '@corner/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';

/** Thrown when a service replied with a problem. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refused';
    this.code = code;
  }
}

const Reply = z.union([z.object({ output: z.unknown() }), z.object({ problem: z.string(), message: z.string() })]);

export interface CallerOfServices {
  readonly connection: NatsConnection;
  readonly namespace: string;
  /** The operator's name, which is the name of the NATS user where there are users. */
  readonly operator?: string;
}

/**
 * Calls an RPC of a service from outside the platform. Rejects with {@link Refused}, or with the connection's error when no reply
 * arrives in time.
 */
export async function callService<Q extends AnyRpc>(
  { connection, namespace, operator = 'operator' }: CallerOfServices,
  rpc: Q,
  input: RpcCallInput<Q>,
): Promise<RpcOutput<Q>> {
  const subject = `${namespace}${rpcSubject(rpc, operator)}`;
  const message = await connection.request(subject, JSON.stringify(input), { timeout: rpc.deadlineMs });
  const reply = Reply.parse(message.json());
  if ('problem' in reply) throw new Refused(reply.problem, reply.message);
  return rpc.output.parse(reply.output);
}
