import { setTimeout as pause } from 'node:timers/promises';
import {
  type AnyRpc,
  everyReplicaSubject,
  Problem,
  type ProblemCode,
  type RpcCallInput,
  type RpcContract,
  type RpcOutput,
  rpcSubject,
} from '@corner/contracts';
import { headers as natsHeaders } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Broker } from '../broker/broker.ts';
import { currentLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { annotateSpan, rpcAttributes, searchAttributes } from '../telemetry/search-attributes.ts';
import { currentTraceparent, inSpan, SpanKind } from '../telemetry/telemetry.ts';

/** No usable reply came in time: the other service is away, slow or failed, or the broker is away. The caller takes its fallback. */
export class RpcUnavailable extends Error {
  override readonly name = 'RpcUnavailable';
  constructor(rpc: string, cause?: unknown) {
    super(`no reply to ${rpc} in time`, { cause });
  }
}

/**
 * Calls an RPC of another service and waits until its deadline at most. Returns its output; throws the Problem it was refused with, when
 * its contract lists that, and {@link RpcUnavailable} for everything else.
 */
export type Call = <Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>) => Promise<RpcOutput<Q>>;

const Reply = z.union([z.object({ output: z.unknown() }), z.object({ problem: z.string(), message: z.string() })]);
type Reply = z.output<typeof Reply>;

/**
 * Creates the function that calls RPCs. `broker` returns null while there is no connection yet: a call then throws {@link RpcUnavailable}.
 * The deadline of each RPC is multiplied by `deadlineFactor`. `operator` is the name in the subjects of RPCs for operators.
 */
export function createCall(broker: () => Broker | null, deadlineFactor = 1, operator?: string): Call {
  return async (rpc, input) => {
    const connected = broker();
    if (!connected) throw new RpcUnavailable(rpc.name);
    return await inSpan(`call ${rpc.name}`, { kind: SpanKind.CLIENT, attributes: rpcAttributes(rpc) }, async () => {
      annotateSpan(() => searchAttributes(input));
      const startedAt = performance.now();
      let outcome = 'ok';
      try {
        const reply = await send(connected, { ...rpc, deadlineMs: rpc.deadlineMs * deadlineFactor }, rpc.input.parse(input), operator);
        if ('problem' in reply) throw new Problem(reply.problem as ProblemCode, { message: reply.message });
        return rpc.output.parse(reply.output);
      } catch (error) {
        outcome = error instanceof Problem ? 'refused' : error instanceof RpcUnavailable ? 'unavailable' : 'failed';
        throw error;
      } finally {
        measure('corner.rpc.client.duration', (performance.now() - startedAt) / 1000, {
          'corner.rpc': rpc.name,
          'corner.outcome': outcome,
        });
      }
    });
  };
}

async function send(broker: Broker, rpc: RpcContract, input: unknown, operator = byOf(input)): Promise<Reply> {
  const headers = natsHeaders();
  const traceparent = currentTraceparent();
  if (traceparent) headers.set('traceparent', traceparent);
  const { request_id } = currentLogFields();
  if (request_id) headers.set('X-Request-Id', request_id);
  const request = (subject: string) => async (timeout: number) => {
    const message = await broker.connection.request(broker.subject(subject), JSON.stringify(input), { timeout, headers });
    const reply = Reply.parse(message.json());
    // A problem outside the contract means that the other service failed.
    if ('problem' in reply && !rpc.problems.includes(reply.problem as ProblemCode)) throw new Error(`the reply was ${reply.problem}`);
    return reply;
  };
  try {
    const toOne = request(rpcSubject(rpc, operator));
    // An operator repeats a command, if at all, by hand.
    return await (rpc.operator ? toOne(rpc.deadlineMs) : firstReply(toOne, request(everyReplicaSubject(rpc)), rpc.deadlineMs));
  } catch (error) {
    throw new RpcUnavailable(rpc.name, error);
  }
}

/** Sends a request and returns its reply: an output, or a problem of the contract. */
type Request = (timeoutMs: number) => Promise<Reply>;

/**
 * Sends a request to one replica, which NATS chooses. That may be a dead one whose connection NATS still believes open, so without a reply in a
 * quarter of the time it goes to every replica. An RPC may be processed twice: the first reply to either request is the reply of the call. A replica
 * that is overloaded or fails does not reply to a request to all, so that another one's reply is received.
 */
async function firstReply(toOne: Request, toAll: Request, deadlineMs: number): Promise<Reply> {
  const replied = new AbortController();
  const first = toOne(deadlineMs);
  try {
    const early = await Promise.race([first, pause(deadlineMs / 4, null, { signal: replied.signal }).catch(() => null)]);
    return early ?? (await Promise.any([first, toAll((deadlineMs * 3) / 4)]));
  } finally {
    replied.abort();
  }
}

/** The operator that an input names. Services call no RPC for operators, tests do. */
const byOf = (input: unknown): string => (input as { readonly by?: string } | null)?.by ?? 'service';
