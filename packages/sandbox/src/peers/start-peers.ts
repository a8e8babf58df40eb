import type { IncomingMessage, ServerResponse } from 'node:http';
import { indexOperations, operations, Problem, processedBy, rpcSubject, rpcs, type ServiceName } from '@corner/contracts';
import { replyExample, successExample } from '@corner/contracts/specs/examples.ts';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Place, serve } from '../http/serve.ts';

export interface PeersOptions {
  /** The services that do not run, each with the place at which the gateway looks for it. */
  readonly places: Readonly<Partial<Record<ServiceName, Place>>>;
  /** Belongs to the peers from now on. */
  readonly connection: NatsConnection;
  readonly namespace: string;
}

export interface RunningPeers extends AsyncDisposable {
  stop(): Promise<void>;
}

/** Names the operation whose recorded example a response is. */
const exampleHeader = 'Corner-Example';

/**
 * Answers for services that do not run, with what they returned in a real run. An HTTP request gets the example of its operation, marked by
 * {@link exampleHeader}, or 503 with the service's name; an RPC without an example gets no reply, as of a service that is away.
 */
export async function startPeers({ places, connection, namespace }: PeersOptions): Promise<RunningPeers> {
  await using starting = new AsyncDisposableStack();
  starting.defer(() => connection.close());
  const peers = Object.entries(places) as [ServiceName, Place][];
  for (const [service] of peers) answerRpcs(service, connection, namespace);
  for (const [service, place] of peers) starting.use(await serve(place, (request, response) => answer(service, request, response)));
  await connection.flush();
  const started = starting.move();
  const stop = () => started.disposeAsync();
  return { stop, [Symbol.asyncDispose]: stop };
}

function answerRpcs(service: ServiceName, connection: NatsConnection, namespace: string): void {
  const reply = (name: string, outputOf: (input: object) => object) =>
    connection.subscribe(`${namespace}${rpcSubject({ name })}`, {
      queue: service,
      callback: (error, message) => {
        if (!error) message.respond(JSON.stringify({ output: outputOf(message.json<object>()) }));
      },
    });
  for (const { name, operator } of rpcs.filter((rpc) => rpc.service === service)) {
    const output = replyExample(name);
    if (output && !operator) reply(name, (input) => repeating(input, output));
  }
  // A publisher of the directory's data waits for every consumer.
  reply(processedBy(service).name, (input) => ({ processed: (input as { event_ids?: unknown }).event_ids, dead_lettered: [] }));
}

/** A field that the reply repeats from the request is the request's. */
const repeating = (input: object, output: object): object => ({
  ...output,
  ...Object.fromEntries(Object.entries(input).filter(([field]) => field in output)),
});

const findOperation = indexOperations(operations);

function answer(service: ServiceName, { method, url = '/' }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://peer');
  const operation = findOperation(method, pathname);
  const example = pathname === '/readyz' ? { ready: true, checks: {} } : operation && successExample(operation.name);
  const { status, code, message } = new Problem('UPSTREAM_UNAVAILABLE', {
    message: `${service} is not running, and no reply to this request was recorded: name it too in --only.`,
  });
  response
    .setHeaders(new Map(Object.entries({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })))
    .setHeaders(new Map(example && operation ? [[exampleHeader, operation.name]] : []))
    .writeHead(example ? 200 : status)
    .end(JSON.stringify(example ?? { error: { code, message } }));
}
