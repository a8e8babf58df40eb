import type { Label } from './metric-labels.ts';

interface Metric {
  readonly kind: 'counter' | 'histogram' | 'gauge' | 'level' | 'total';
  /** UCUM: `s`, `By`, or a thing in braces. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly Label[];
  readonly buckets?: readonly number[];
}

// `short` is what the semantic conventions advise for requests; `long` is for work that may have waited.
const short = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const long = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/**
 * Every metric a process exports. Names are those of the OpenTelemetry semantic conventions where there is one, else they begin with
 * `corner.`. A `counter` and a `histogram` are measured where things happen; a `gauge`, a `level` (adds up over processes) and a `total`
 * (only grows) are read at every collection.
 */
export const catalog = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of HTTP requests, by route template and status, from the first line received to the last byte sent.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code'],
    buckets: short,
  },
  'corner.problems': {
    kind: 'counter',
    unit: '{problem}',
    description: 'Refused and failed requests, by problem code. RATE_LIMITED comes from the rate limiter.',
    labels: ['http.route', 'corner.problem'],
  },
  'corner.limits.faults': {
    kind: 'counter',
    unit: '{fault}',
    description: 'Times the shared rate limits could not be reached, and this process counted on its own.',
    labels: [],
  },
  'corner.upstream.replicas': {
    kind: 'gauge',
    unit: '{replica}',
    description: 'Replicas of a service that the gateway knows.',
    labels: ['corner.service'],
  },
  'corner.upstream.replicas.out': {
    kind: 'gauge',
    unit: '{replica}',
    description:
      'Replicas that get no requests while another one is in, because they cannot be reached or are not ready. The log names them.',
    labels: ['corner.service'],
  },
  'corner.upstream.repeats': {
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests that the gateway sent to a service again. refused: no connection was made; lost: the connection ended before a response; in_progress: the lost attempt has not finished.',
    labels: ['corner.service', 'corner.repeat.reason'],
  },
  'corner.rpc.client.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of RPC calls to another service, by outcome.',
    labels: ['corner.rpc', 'corner.outcome'],
    buckets: short,
  },
  'corner.rpc.server.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of RPC requests from other services, by outcome.',
    labels: ['corner.rpc', 'corner.outcome'],
    buckets: short,
  },
  'corner.payments.call.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of calls to the payment provider, with the retries of its library.',
    labels: ['corner.call', 'corner.outcome'],
    buckets: short,
  },
  'corner.provider.events.missed': {
    kind: 'counter',
    unit: '{event}',
    description: 'Events of the payment provider that no webhook brought and that were found in the provider’s list.',
    labels: [],
  },
  'corner.message.delivery.duration': {
    kind: 'histogram',
    unit: 's',
    description:
      'Duration of attempts to send a message to a person. ok: accepted; refused: this address gets none; failed: it is tried again.',
    labels: ['corner.channel', 'corner.outcome'],
    buckets: short,
  },
  'corner.wallet.update.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of attempts to bring a pass up to date at a wallet. failed: it is tried again.',
    labels: ['corner.wallet', 'corner.outcome'],
    buckets: short,
  },
  'corner.provider.cursor.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the end of the last reading of one of the payment provider’s lists: of events, or of movements of the balance.',
    labels: ['corner.cursor'],
  },
  'corner.ledger.differences': {
    kind: 'gauge',
    unit: '{difference}',
    description: 'Differences between the ledger and the payment provider’s balance that no event explains.',
    labels: [],
  },
  'corner.accounts.restricted': {
    kind: 'gauge',
    unit: '{store}',
    description: 'Stores that accept no orders because the payment provider restricts their account.',
    labels: [],
  },
  'corner.disputes.due': {
    kind: 'gauge',
    unit: '{dispute}',
    description: 'Disputes that await evidence, with less than three days left.',
    labels: [],
  },
  'corner.disputes.shares.failing': {
    kind: 'gauge',
    unit: '{dispute}',
    description: 'Disputes whose store’s share the payment provider did not take back or pay again.',
    labels: [],
  },
  'messaging.client.sent.messages': {
    kind: 'counter',
    unit: '{message}',
    description: 'Events that the relay published and the broker acknowledged.',
    labels: ['corner.event.type'],
  },
  'messaging.process.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of event handler runs. A failed run was rolled back and is repeated.',
    labels: ['corner.event.handler', 'corner.outcome'],
    buckets: short,
  },
  'corner.event.delay': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from the publication of an event to the commit of its effects.',
    labels: ['corner.event.type'],
    buckets: long,
  },
  'corner.redeliveries': {
    kind: 'counter',
    unit: '{message}',
    description: 'Messages that the broker delivered again.',
    labels: ['corner.event.type'],
  },
  'corner.dead_letters.written': {
    kind: 'counter',
    unit: '{event}',
    description: 'Events that became dead letters because they could not be processed.',
    labels: ['corner.event.type'],
  },
  'corner.dead_letters.open': {
    kind: 'gauge',
    unit: '{event}',
    description: 'Dead letters that are neither retried nor discarded yet.',
    labels: [],
  },
  'corner.outbox.backlog': {
    kind: 'gauge',
    unit: '{event}',
    description: 'Events in the outbox that the broker has not acknowledged, up to 10,000.',
    labels: [],
  },
  'corner.outbox.age': { kind: 'gauge', unit: 's', description: 'Age of the oldest event in that backlog; 0 without one.', labels: [] },
  'corner.consumer.lag': {
    kind: 'gauge',
    unit: '{event}',
    description: 'Events in a producer’s stream that this service has not acknowledged.',
    labels: ['corner.producer'],
  },
  'corner.consumer.complete': {
    kind: 'gauge',
    unit: '{event}',
    description: 'The number up to which the service has processed every event of the producer.',
    labels: ['corner.producer'],
  },
  'corner.consumer.missing': {
    kind: 'gauge',
    unit: '{event}',
    description: 'Events of the producer that the broker did not deliver, and that were asked of the producer.',
    labels: ['corner.producer'],
  },
  'corner.consumer.unknown': {
    kind: 'gauge',
    unit: '{event}',
    description: 'Processed events that the producer does not know: its database was restored to an earlier moment.',
    labels: ['corner.producer'],
  },
  'corner.consumer.lost': {
    kind: 'gauge',
    unit: '{event}',
    description: 'Events that were never processed, because the producer no longer kept them when they were asked for.',
    labels: ['corner.producer'],
  },
  'corner.consumer.pulling': {
    kind: 'level',
    unit: '{process}',
    description: '1 in the replica that pulls a producer’s events, else 0.',
    labels: ['corner.producer'],
  },
  'corner.relay.leading': { kind: 'level', unit: '{process}', description: '1 in the replica whose relay leads, else 0.', labels: [] },
  'corner.broker.stores_nothing': {
    kind: 'level',
    unit: '{process}',
    description: '1 while NATS answers the relay and stores nothing, as when its disk is or was full, else 0.',
    labels: [],
  },
  'corner.database.restores': {
    kind: 'total',
    unit: '{restore}',
    description:
      'Times this process found that its database was restored or lost commits: the stream has events unknown to it, the inbox lacks events, transactions are numbered anew.',
    labels: ['corner.restore'],
  },
  'corner.job.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of job runs.',
    labels: ['corner.job', 'corner.outcome'],
    buckets: long,
  },
  'corner.job.last_success': {
    kind: 'gauge',
    unit: 's',
    description: 'Unix time of the last successful run in this process; the start of the process before the first.',
    labels: ['corner.job'],
  },
  'corner.clock.ahead': {
    kind: 'gauge',
    unit: 's',
    description:
      'How far the clock of this process is ahead of that of Postgres; negative behind it. From a second on, the service acts by Postgres.',
    labels: [],
  },
  'corner.job.interval': { kind: 'gauge', unit: 's', description: 'Seconds between two due times of a job.', labels: ['corner.job'] },
  'db.client.connection.count': {
    kind: 'level',
    unit: '{connection}',
    description: 'Database connections, used and idle.',
    labels: ['db.client.connection.state'],
  },
  'db.client.connection.max': { kind: 'level', unit: '{connection}', description: 'Database connections that may be open.', labels: [] },
  'db.client.connection.pending_requests': {
    kind: 'level',
    unit: '{request}',
    description: 'Statements and transactions that wait for a database connection.',
    labels: [],
  },
  'process.memory.usage': { kind: 'level', unit: 'By', description: 'Resident memory.', labels: [] },
  'v8js.memory.heap.used': { kind: 'level', unit: 'By', description: 'Memory used on the JavaScript heap.', labels: [] },
  'process.cpu.time': { kind: 'total', unit: 's', description: 'Processor time, user and system.', labels: [] },
  'process.uptime': { kind: 'gauge', unit: 's', description: 'Time since the process started.', labels: [] },
  'nodejs.eventloop.delay.p99': {
    kind: 'gauge',
    unit: 's',
    description: 'Event-loop delay, 99th percentile since the last collection.',
    labels: [],
  },
  'nodejs.eventloop.delay.max': {
    kind: 'gauge',
    unit: 's',
    description: 'Event-loop delay, maximum since the last collection.',
    labels: [],
  },
  'nodejs.eventloop.time': {
    kind: 'total',
    unit: 's',
    description: 'Time the event loop was active and idle.',
    labels: ['nodejs.eventloop.state'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type Catalog = typeof catalog;
export type MetricName = keyof Catalog;
export type LabelsOf<N extends MetricName> = { readonly [L in Catalog[N]['labels'][number]]: string | number };
/** The metrics that are measured where things happen. */
export type MeasuredName = { [N in MetricName]: Catalog[N]['kind'] extends 'counter' | 'histogram' ? N : never }[MetricName];
/** The metrics that are read at every collection. */
export type ObservedName = Exclude<MetricName, MeasuredName>;
