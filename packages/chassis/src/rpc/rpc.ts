import {
  type AnyRpc,
  Problem,
  type ProblemCode,
  problems,
  type RpcCallInput,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
  rpcSubject,
} from '@corner/contracts';
import { headers as natsHeaders, type Subscription } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Broker } from '../broker/broker.ts';
import { currentLogFields, type Log, withLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { nameEntryPoints } from '../telemetry/metrics-catalog.ts';
import { continuing, currentTraceparent, inSpan, SpanKind } from '../telemetry/telemetry.ts';

/** Nobody answered in time: the service is away, slow, or the broker is. The asker goes its defined other way. */
export class RpcUnavailable extends Error {
  constructor(rpc: string, cause?: unknown) {
    super(`no answer to ${rpc} in time`, { cause });
    this.name = 'NoAnswer';
  }
}

/** Asks another service and waits for its deadline at most. Throws {@link RpcUnavailable}, or the Problem it answered. */
export type Call = <Q extends AnyRpc>(rpc: Q, input: RpcCallInput<Q>) => Promise<RpcOutput<Q>>;

const Reply = z.union([z.object({ output: z.unknown() }), z.object({ problem: z.string(), message: z.string() })]);

export function createCall(broker: Broker): Call {
  return async (rpc, input) => {
    return await inSpan(`call ${rpc.name}`, { kind: SpanKind.CLIENT }, async () => {
      const startedAt = performance.now();
      let outcome = 'ok';
      try {
        const reply = await send(broker, rpc, rpc.input.parse(input));
        if ('problem' in reply) {
          if (rpc.problems.includes(reply.problem as ProblemCode))
            throw new Problem(reply.problem as ProblemCode, { message: reply.message });
          // Whoever failed to answer has not answered.
          throw new RpcUnavailable(rpc.name, new Error(`the answer was ${reply.problem}`));
        }
        return rpc.output.parse(reply.output);
      } catch (error) {
        outcome = error instanceof Problem ? 'refused' : error instanceof RpcUnavailable ? 'no answer' : 'failed';
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

async function send(broker: Broker, rpc: RpcContract, input: unknown): Promise<z.output<typeof Reply>> {
  const headers = natsHeaders();
  const traceparent = currentTraceparent();
  if (traceparent) headers.set('traceparent', traceparent);
  const { request_id } = currentLogFields();
  if (request_id) headers.set('X-Request-Id', request_id);
  try {
    const message = await broker.connection.request(broker.subject(rpcSubject(rpc)), JSON.stringify(input), {
      timeout: rpc.deadlineMs,
      headers,
    });
    return Reply.parse(message.json());
  } catch (error) {
    throw new RpcUnavailable(rpc.name, error);
  }
}

/** What a service answers when another asks. Idempotent on the asker's key. */
export interface RpcHandler<Context> {
  readonly rpc: AnyRpc;
  // biome-ignore lint/suspicious/noExplicitAny: each answer narrows it to its own question
  readonly run: (input: any, context: Context) => Promise<unknown>;
}

/** Ties an answer to its question. The table of answers names it. */
export function handleRpc<Q extends AnyRpc, Context = unknown>(
  rpc: Q,
  run: (input: RpcInput<Q>, context: Context) => Promise<RpcOutput<Q>>,
): RpcHandler<Context> {
  return { rpc, run };
}

export type RpcHandlers<Context> = Readonly<Record<string, RpcHandler<Context>>>;

export interface RpcServerOptions<Context> {
  readonly service: string;
  readonly broker: Broker;
  readonly rpcHandlers: readonly RpcHandler<Context>[];
  readonly context: Context;
  readonly log: Log;
}

/** Questions worked on at once; a further one is told so at once rather than left to time out. */
const concurrency = 64;

/** Starts answering. Replicas share the questions between them. */
export function startRpcServer<Context>(options: RpcServerOptions<Context>): AsyncDisposable {
  const under = new Set<Promise<void>>();
  nameEntryPoints(
    'corner.rpc',
    options.rpcHandlers.map(({ rpc }) => rpc.name),
  );
  const subscriptions = options.rpcHandlers.map(({ rpc, run }) =>
    options.broker.connection.subscribe(options.broker.subject(rpcSubject(rpc)), {
      queue: options.service,
      callback: (error, message) => {
        if (error) return;
        if (under.size >= concurrency) {
          measure('corner.rpc.server.duration', 0, { 'corner.rpc': rpc.name, 'corner.outcome': 'turned away' });
          message.respond(JSON.stringify({ problem: 'UPSTREAM_UNAVAILABLE', message: problems.UPSTREAM_UNAVAILABLE.message }));
          return;
        }
        const work = reply(options, rpc, run, message.string(), message.headers?.get('traceparent'), message.headers?.get('X-Request-Id'))
          .then((text) => message.respond(text))
          // A connection closed meanwhile: whoever asked has gone its other way.
          .catch((error) => options.log.warn({ err: error, rpc: rpc.name }, 'an rpc reply could not be sent'))
          .then(() => void under.delete(work));
        under.add(work);
      },
    }),
  );
  return { [Symbol.asyncDispose]: () => finish(subscriptions, under) };
}

async function finish(subscriptions: readonly Subscription[], under: ReadonlySet<Promise<void>>): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => subscription.drain().catch(() => {})));
  await Promise.all(under);
}

async function reply<Context>(
  { context, log }: RpcServerOptions<Context>,
  rpc: AnyRpc,
  run: RpcHandler<Context>['run'],
  payload: string,
  traceparent?: string,
  requestId?: string,
): Promise<string> {
  return await inSpan(`serve ${rpc.name}`, { kind: SpanKind.SERVER, parent: continuing(traceparent) }, () =>
    withLogFields(requestId ? { request_id: requestId } : {}, async () => {
      const startedAt = performance.now();
      let outcome = 'ok';
      try {
        const text = JSON.stringify({ output: rpc.output.parse(await run(rpc.input.parse(JSON.parse(payload)), context)) });
        log.info({ rpc: rpc.name }, 'rpc served');
        return text;
      } catch (error) {
        outcome = error instanceof Problem ? 'refused' : 'failed';
        if (error instanceof Problem) {
          log.info({ rpc: rpc.name, code: error.code }, 'rpc refused');
          return JSON.stringify({ problem: error.code, message: error.message });
        }
        log.error({ rpc: rpc.name, err: error }, 'rpc failed');
        return JSON.stringify({ problem: 'INTERNAL', message: problems.INTERNAL.message });
      } finally {
        measure('corner.rpc.server.duration', (performance.now() - startedAt) / 1000, {
          'corner.rpc': rpc.name,
          'corner.outcome': outcome,
        });
      }
    }),
  );
}
