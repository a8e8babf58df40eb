import {
  type AnyRpc,
  everyReplicaSubject,
  operatorIn,
  Problem,
  type ProblemCode,
  problems,
  recordedOperator,
  rpcSubject,
} from '@corner/contracts';
import type { Broker, IncomingMessage, Subscription } from '../broker/broker.ts';
import { describeFaults } from '../errors/describe-error.ts';
import { type Log, withLogFields } from '../telemetry/log.ts';
import { nameEntryPoints } from '../telemetry/metric-labels.ts';
import { measure } from '../telemetry/metrics.ts';
import { annotateSpan, rpcAttributes, searchAttributes } from '../telemetry/search-attributes.ts';
import { continuing, inSpan, SpanKind } from '../telemetry/telemetry.ts';
import type { RpcHandler } from './handle-rpc.ts';

export interface RpcServerOptions<Context> {
  readonly service: string;
  readonly broker: Broker;
  readonly rpcHandlers: readonly RpcHandler<Context>[];
  readonly context: Context;
  readonly log: Log;
}

/** Requests in progress at once. A further one is refused rather than left to time out. */
const concurrency = 64;

/**
 * Serves a service's RPCs. Replicas share the requests between them, and each serves those that go to every replica. Disposal finishes the
 * requests in progress.
 */
export function startRpcServer<Context>(options: RpcServerOptions<Context>): AsyncDisposable {
  const { broker, rpcHandlers, service, log } = options;
  const inProgress = new Set<Promise<void>>();
  nameEntryPoints(
    'corner.rpc',
    rpcHandlers.map(({ rpc }) => rpc.name),
  );
  const subscriptions = rpcHandlers.flatMap((handler) => {
    const { rpc } = handler;
    const serveRequests = (sentTo: 'one' | 'all') => (error: unknown, message: IncomingMessage) => {
      if (error) return;
      const respond = (reply: Reply) => {
        // The caller takes the first reply, and another replica may succeed.
        if (sentTo === 'one' || !isFailure(reply)) message.respond(JSON.stringify(reply));
      };
      if (inProgress.size >= concurrency) {
        measureServed(rpc, 0, 'overloaded');
        respond(problemReply('UPSTREAM_UNAVAILABLE'));
        return;
      }
      const work = serve(options, handler, message)
        .then(respond)
        .catch((error) => log.warn({ err: error, rpc: rpc.name }, 'an rpc reply could not be sent'))
        .then(() => void inProgress.delete(work));
      inProgress.add(work);
    };
    return [
      broker.subscribe(broker.subject(rpcSubject(rpc)), { queue: service, callback: serveRequests('one') }),
      ...(rpc.operator ? [] : [broker.subscribe(broker.subject(everyReplicaSubject(rpc)), { callback: serveRequests('all') })]),
    ];
  });
  return { [Symbol.asyncDispose]: () => finish(subscriptions, inProgress) };
}

async function finish(subscriptions: readonly Subscription[], inProgress: ReadonlySet<Promise<void>>): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => subscription.drain().catch(() => {})));
  await Promise.all(inProgress);
}

type Reply = { readonly output: unknown } | { readonly problem: ProblemCode; readonly message: string };

const problemReply = (problem: ProblemCode, message: string = problems[problem].message): Reply => ({ problem, message });

const isFailure = (reply: Reply): boolean =>
  'problem' in reply && (reply.problem === 'UPSTREAM_UNAVAILABLE' || reply.problem === 'INTERNAL');

/** Never rejects: an unexpected error is logged and becomes INTERNAL. */
async function serve<Context>(
  { context, log }: RpcServerOptions<Context>,
  { rpc, run }: RpcHandler<Context>,
  message: IncomingMessage,
): Promise<Reply> {
  const requestId = message.headers?.get('X-Request-Id');
  const parent = continuing(message.headers?.get('traceparent'));
  const attributes = { ...rpcAttributes(rpc), ...(requestId ? { 'corner.request.id': requestId } : {}) };
  return await inSpan(`serve ${rpc.name}`, { kind: SpanKind.SERVER, parent, attributes }, () =>
    withLogFields(requestId ? { request_id: requestId } : {}, async () => {
      const startedAt = performance.now();
      let outcome = 'ok';
      try {
        const input = inputOf(rpc, message);
        annotateSpan(() => searchAttributes(input));
        const output: unknown = rpc.output.parse(await run(input, context));
        log.info({ rpc: rpc.name }, 'rpc served');
        return { output };
      } catch (error) {
        outcome = error instanceof Problem ? 'refused' : 'failed';
        if (error instanceof Problem) {
          annotateSpan(() => ({ 'corner.problem': error.code }));
          log.info({ rpc: rpc.name, code: error.code }, 'rpc refused');
          return problemReply(error.code, error.message);
        }
        log.error({ rpc: rpc.name, err: error }, 'rpc failed');
        return problemReply('INTERNAL');
      } finally {
        measureServed(rpc, performance.now() - startedAt, outcome);
      }
    }),
  );
}

/** The operator is the one in the subject, which the broker permitted or the console names. Throws VALIDATION_FAILED. */
function inputOf<R extends AnyRpc>(rpc: R, message: IncomingMessage): ReturnType<R['input']['parse']> {
  const sent = parseJson(message.string());
  const operator = operatorIn(message.subject);
  const named =
    operator === undefined || typeof sent !== 'object'
      ? sent
      : { ...sent, by: recordedOperator(operator, (sent as { by?: unknown } | null)?.by) };
  const result = rpc.input.safeParse(named);
  if (!result.success) throw new Problem('VALIDATION_FAILED', { message: describeFaults('input', result.error).slice(0, 10).join('; ') });
  return result.data as ReturnType<R['input']['parse']>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('VALIDATION_FAILED', { message: 'the input is not JSON' });
  }
}

const measureServed = (rpc: AnyRpc, milliseconds: number, outcome: string): void =>
  measure('corner.rpc.server.duration', milliseconds / 1000, { 'corner.rpc': rpc.name, 'corner.outcome': outcome });
