import type { Label } from './metric-labels.ts';

interface Metric {
  readonly kind: 'counter' | 'histogram' | 'gauge' | 'level' | 'total';
  /** UCUM: `s`, `By`, or a noun in braces. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly Label[];
  readonly buckets?: readonly number[];
}

// `short` follows the semantic conventions for requests; `long` is for work that may have waited.
const short = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const long = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

const of =
  <K extends Metric['kind']>(kind: K) =>
  <const L extends readonly Label[]>(unit: string, description: string, ...labels: L) => ({ kind, unit, description, labels });
const [counter, gauge, level, total] = [of('counter'), of('gauge'), of('level'), of('total')];
const histogram = <const L extends readonly Label[]>(buckets: readonly number[], description: string, ...labels: L) => ({
  kind: 'histogram' as const,
  unit: 's',
  description,
  labels,
  buckets,
});

/**
 * Every metric a process exports, by OpenTelemetry's names where they exist, else `corner.`. Counters and histograms are measured where
 * things happen; a `gauge`, a `level` (adds up over processes) and a `total` (only grows) are read at every collection.
 */
export const catalog = {
  'http.server.request.duration': histogram(
    short,
    'Duration of HTTP requests, by route template and status, from the first line received to the last byte sent.',
    'http.request.method',
    'http.route',
    'http.response.status_code',
  ),
  'corner.problems': counter(
    '{problem}',
    'Refused and failed requests, by problem code. RATE_LIMITED comes from the rate limiter.',
    'http.route',
    'corner.problem',
  ),
  'corner.limits.faults': counter('{fault}', 'Times the shared rate limits could not be reached, and this process counted on its own.'),
  'corner.streams.open': level('{stream}', 'Streams of live changes that are open in this process.'),
  'corner.streams.max': level('{stream}', 'Streams that may be open in this process: MAX_STREAMS.'),
  'corner.streams.refused': counter(
    '{stream}',
    'Streams that were refused. full: the process has all it can take; address, caller: this one has.',
    'corner.stream.refusal',
  ),
  'corner.upstream.replicas': gauge('{replica}', 'Replicas of a service that the gateway knows.', 'corner.service'),
  'corner.upstream.replicas.out': gauge(
    '{replica}',
    'Replicas that get no requests while another one is in, because they cannot be reached or are not ready. The log names them.',
    'corner.service',
  ),
  'corner.upstream.repeats': counter(
    '{request}',
    'Requests that the gateway sent to a service again. refused: no connection was made; lost: the connection ended before a response; in_progress: the lost attempt has not finished.',
    'corner.service',
    'corner.repeat.reason',
  ),
  'corner.canary.active': gauge(
    '{canary}',
    'Whether a new version of a service gets requests: 1 while it does, 0 once the gateway has taken them back.',
    'corner.service',
  ),
  'corner.rpc.client.duration': histogram(short, 'Duration of RPC calls to another service, by outcome.', 'corner.rpc', 'corner.outcome'),
  'corner.rpc.server.duration': histogram(
    short,
    'Duration of RPC requests from other services, by outcome.',
    'corner.rpc',
    'corner.outcome',
  ),
  'corner.payments.call.duration': histogram(
    short,
    'Duration of calls to the payment provider, with the retries of its library.',
    'corner.call',
    'corner.outcome',
  ),
  'corner.directory.left_out': counter(
    '{entry}',
    'Entries of a store’s snapshots that orders left out, because another store has their ids. The log names them.',
    'corner.list',
  ),
  'corner.payments.ended': counter(
    '{payment}',
    'Payments of orders. ok: it is paid; refused: the customer’s bank declined the first payment of an order.',
    'corner.outcome',
  ),
  'corner.orders.limited': counter(
    '{order}',
    'Orders that a limit of what no one has paid for held up. customer, device, address: it was refused, there were too many; share: it was refused, the rest is for customers who paid before; replaced: an unpaid one ended for it.',
    'corner.limit',
  ),
  'corner.provider.events.missed': counter(
    '{event}',
    'Events of the payment provider that no webhook brought and that were found in the provider’s list.',
  ),
  'corner.message.delivery.duration': histogram(
    short,
    'Duration of attempts to send a message to a person. ok: accepted; refused: this address gets none; failed: it is tried again.',
    'corner.channel',
    'corner.outcome',
  ),
  'corner.wallet.update.duration': histogram(
    short,
    'Duration of attempts to bring a pass up to date at a wallet. failed: it is tried again.',
    'corner.wallet',
    'corner.outcome',
  ),
  'corner.apple.devices.refused': counter(
    '{device}',
    'Pushes for which Apple does not know the device under the topic. refused: it is unlinked; failed: three and more in a row, so the setting is doubted and the device kept.',
    'corner.outcome',
  ),
  'corner.provider.cursor.age': gauge(
    's',
    'Age of the end of the last reading of one of the payment provider’s lists: of events, or of movements of the balance.',
    'corner.cursor',
  ),
  'corner.ledger.differences': gauge(
    '{difference}',
    'Differences between the ledger and the payment provider’s balance that no event explains.',
  ),
  'corner.accounts.restricted': gauge('{store}', 'Stores that accept no orders because the payment provider restricts their account.'),
  'corner.stores.silent': gauge(
    '{store}',
    'Live stores that were paid nothing in the last hour, and three times or more in the same hour of at least three of the last four weeks. The log names them.',
  ),
  'corner.disputes.due': gauge('{dispute}', 'Disputes that await evidence, with less than three days left.'),
  'corner.disputes.shares.failing': gauge('{dispute}', 'Disputes whose store’s share the payment provider did not take back or pay again.'),
  'corner.refresh_tokens.reused': counter('{token}', 'Refresh tokens that were used again, which ended their session.'),
  'corner.texts.received': counter(
    '{text}',
    'Text messages that people sent. `refused`: no store had written to the number within seven days, or it held no text.',
    'corner.outcome',
  ),
  'messaging.client.sent.messages': counter(
    '{message}',
    'Events that the relay published and the broker acknowledged.',
    'corner.event.type',
  ),
  'messaging.process.duration': histogram(
    short,
    'Duration of event handler runs. A failed run was rolled back and is repeated.',
    'corner.event.handler',
    'corner.outcome',
  ),
  'corner.event.delay': histogram(long, 'Time from the publication of an event to the commit of its effects.', 'corner.event.type'),
  'corner.redeliveries': counter('{message}', 'Messages that the broker delivered again.', 'corner.event.type'),
  'corner.dead_letters.written': counter(
    '{event}',
    'Events that became dead letters because they could not be processed.',
    'corner.event.type',
  ),
  'corner.dead_letters.open': gauge('{event}', 'Dead letters that are neither retried nor discarded yet.'),
  'corner.outbox.backlog': gauge('{event}', 'Events in the outbox that the broker has not acknowledged, up to 10,000.'),
  'corner.outbox.age': gauge('s', 'Age of the oldest event in that backlog; 0 without one.'),
  'corner.consumer.lag': gauge('{event}', 'Events in a producer’s stream that this service has not acknowledged.', 'corner.producer'),
  'corner.consumer.complete': gauge(
    '{event}',
    'The number up to which the service has processed every event of the producer.',
    'corner.producer',
  ),
  'corner.consumer.missing': gauge(
    '{event}',
    'Events of the producer that the broker did not deliver, and that were asked of the producer.',
    'corner.producer',
  ),
  'corner.consumer.unknown': gauge(
    '{event}',
    'Processed events that the producer does not know: its database was restored to an earlier moment.',
    'corner.producer',
  ),
  'corner.consumer.lost': gauge(
    '{event}',
    'Events that were never processed, because the producer no longer kept them when they were asked for.',
    'corner.producer',
  ),
  'corner.consumer.pulling': level(
    '{process}',
    'The parts in which this replica pulls a producer’s events: 1 where it pulls all, 0 where another replica does.',
    'corner.producer',
  ),
  'corner.directory.ignored': gauge(
    '{object}',
    'Objects of the directory whose newest snapshot is ignored, because its version is not above the one processed.',
  ),
  'corner.relay.leading': level('{process}', '1 in the replica whose relay leads, else 0.'),
  'corner.broker.stores_nothing': level(
    '{process}',
    '1 while NATS answers the relay and stores nothing, as when its disk is or was full, else 0.',
  ),
  'corner.database.restores': total(
    '{restore}',
    'Times this process found that its database was restored or lost commits: the stream has events unknown to it, the inbox lacks events, transactions are numbered anew.',
    'corner.restore',
  ),
  'corner.job.duration': histogram(long, 'Duration of job runs.', 'corner.job', 'corner.outcome'),
  'corner.job.last_success': gauge(
    's',
    'Unix time of the last successful run in this process; the start of the process before the first.',
    'corner.job',
  ),
  'corner.clock.ahead': gauge(
    's',
    'How far the clock of this process is ahead of that of Postgres; negative behind it. From a second on, the service acts by Postgres.',
  ),
  'corner.job.interval': gauge('s', 'Seconds between two due times of a job.', 'corner.job'),
  'db.client.connection.count': level('{connection}', 'Database connections, used and idle.', 'db.client.connection.state'),
  'db.client.connection.max': level('{connection}', 'Database connections that may be open.'),
  'db.client.connection.pending_requests': level('{request}', 'Statements and transactions that wait for a database connection.'),
  'process.memory.usage': level('By', 'Resident memory.'),
  'v8js.memory.heap.used': level('By', 'Memory used on the JavaScript heap.'),
  'process.cpu.time': total('s', 'Processor time, user and system.'),
  'process.uptime': gauge('s', 'Time since the process started.'),
  'nodejs.eventloop.delay.p99': gauge('s', 'Event-loop delay, 99th percentile since the last collection.'),
  'nodejs.eventloop.delay.max': gauge('s', 'Event-loop delay, maximum since the last collection.'),
  'nodejs.eventloop.time': total('s', 'Time the event loop was active and idle.', 'nodejs.eventloop.state'),
} satisfies Readonly<Record<string, Metric>>;

export type Catalog = typeof catalog;
export type MetricName = keyof Catalog;
export type LabelsOf<N extends MetricName> = { readonly [L in Catalog[N]['labels'][number]]: string | number };
export type MeasuredName = { [N in MetricName]: Catalog[N]['kind'] extends 'counter' | 'histogram' ? N : never }[MetricName];
export type ObservedName = Exclude<MetricName, MeasuredName>;
