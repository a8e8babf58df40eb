import {
  type AnyRpc,
  everyReplicaSubject,
  Problem,
  type ProblemCode,
  type RpcCallInput,
  type RpcContract,
  type RpcOutput,
  RpcReply,
  rpcSubject,
} from '@corner/contracts';
import { after } from '../async/clock.ts';
import type { Broker } from '../broker/broker.ts';
import { currentLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { annotateSpan, rpcAttributes, searchAttributes } from '../telemetry/search-attributes.ts';
import { currentTraceparent, inSpan, SpanKind } from '../telemetry/telemetry.ts';

/** No usable reply in time: the other service is away, slow or failed, or the broker is away. Callers take their fallback. */
export class RpcUnavailable extends Error {
  override readonly name = 'RpcUnavailable';
  constructor(rpc: string, cause?: unknown) {
    super(`no reply to ${rpc} in time`, { cause });
  }
}

/** Calls another service, until the RPC's deadline. Throws a Problem that its contract lists, else {@link RpcUnavailable}. */
export type Call = <Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>) => Promise<RpcOutput<Q>>;

/**
 * `broker` returns null before the connection. Deadlines are multiplied by `deadlineFactor`. `operator` is the name in the subjects of RPCs
 * for operators.
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

async function send(broker: Broker, rpc: RpcContract, input: unknown, operator = byOf(input)): Promise<RpcReply> {
  const traceparent = currentTraceparent();
  const { request_id } = currentLogFields();
  const headers = { ...(traceparent ? { traceparent } : {}), ...(request_id ? { 'X-Request-Id': request_id } : {}) };
  const request = (subject: string) => async (timeout: number) => {
    const message = await broker.request(broker.subject(subject), JSON.stringify(input), { timeout, headers });
    const reply = RpcReply.parse(message.json());
    if ('problem' in reply && !rpc.problems.includes(reply.problem as ProblemCode)) throw new Error(`the reply was ${reply.problem}`);
    return reply;
  };
  try {
    const toOne = request(rpcSubject(rpc, operator));
    return await (rpc.operator ? toOne(rpc.deadlineMs) : firstReply(toOne, request(everyReplicaSubject(rpc)), rpc.deadlineMs));
  } catch (error) {
    throw new RpcUnavailable(rpc.name, error);
  }
}

type Request = (timeoutMs: number) => Promise<RpcReply>;

/**
 * Sends a request to one replica, which NATS chooses, perhaps a dead one; after a quarter of the time, to all. The first reply counts. A
 * replica that is overloaded or fails does not reply to a request to all.
 */
async function firstReply(toOne: Request, toAll: Request, deadlineMs: number): Promise<RpcReply> {
  const first = toOne(deadlineMs);
  const { promise: waited, resolve } = Promise.withResolvers<null>();
  // No pause with an AbortSignal: aborting builds two errors with their stacks, for each call.
  using _ = after(deadlineMs / 4, () => resolve(null));
  const early = await Promise.race([first, waited]);
  return early ?? (await Promise.any([first, toAll((deadlineMs * 3) / 4)]));
}

const byOf = (input: unknown): string => (input as { readonly by?: string } | null)?.by ?? 'service';
