import { events, operations, problems, producers, rpcs } from '@corner/contracts';

/** What a label says when its value is none of those it may have. */
export const other = 'other';

/**
 * Every label there is, with every value it may have. A value that is not among them is told as `other`, so no id, path or
 * text of a request can ever become a series, whatever a door hands over. Names that a service gives its own doors join at
 * its start, by {@link nameEntryPoints}.
 */
export const labels = {
  'http.request.method': new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  'http.route': new Set<string>(operations.map(({ path }) => path)),
  'http.response.status_code': new Set(Array.from({ length: 500 }, (_, i) => String(i + 100))),
  'corner.problem': new Set(Object.keys(problems)),
  'corner.event.type': new Set(events.map(({ type }) => type)),
  'corner.producer': new Set<string>(producers),
  'corner.rpc': new Set(rpcs.map(({ name }) => name)),
  'corner.event.handler': new Set<string>(),
  'corner.job': new Set<string>(),
  'corner.call': new Set<string>(),
  'corner.outcome': new Set(['ok', 'refused', 'failed', 'no answer', 'turned away']),
  'db.client.connection.state': new Set(['used', 'idle']),
  'nodejs.eventloop.state': new Set(['active', 'idle']),
} as const;

export type Label = keyof typeof labels;

/** Makes names that stand in a service's own tables known as values of a label, once and at its start. */
export function nameEntryPoints(
  label: 'http.route' | 'corner.rpc' | 'corner.event.handler' | 'corner.job' | 'corner.call',
  names: Iterable<string>,
): void {
  for (const name of names) labels[label].add(name);
}

interface Metric {
  readonly kind: 'counter' | 'histogram' | 'gauge' | 'level' | 'total';
  /** UCUM: `s`, `By`, or a thing in braces. */
  readonly unit: string;
  readonly about: string;
  readonly labels: readonly Label[];
  readonly buckets?: readonly number[];
}

// Those the semantic conventions advise for requests, and longer ones for what may have waited.
const short = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const long = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/**
 * Every figure a process tells. Names are those of the OpenTelemetry semantic conventions where there is one, else `corner.`.
 * `counter` and `histogram` are measured where things happen; `gauge`, `level` (adds up over processes) and `total` (only
 * grows) are read when somebody collects.
 */
export const catalog = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Requests answered, by route template and status, from their first line to their last byte.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code'],
    buckets: short,
  },
  'corner.problems': {
    kind: 'counter',
    unit: '{problem}',
    about: 'Refusals by their code. RATE_LIMITED are those of the limiter.',
    labels: ['http.route', 'corner.problem'],
  },
  'corner.limits.faults': {
    kind: 'counter',
    unit: '{fault}',
    about: 'Times the shared limits could not be asked, and this process counted for itself.',
    labels: [],
  },
  'corner.rpc.client.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Questions asked of another service, by how they ended.',
    labels: ['corner.rpc', 'corner.outcome'],
    buckets: short,
  },
  'corner.rpc.server.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Questions of other services, by how they were answered.',
    labels: ['corner.rpc', 'corner.outcome'],
    buckets: short,
  },
  'corner.payments.call.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Calls of the payment provider, its library’s own repeats included.',
    labels: ['corner.call', 'corner.outcome'],
    buckets: short,
  },
  'messaging.client.sent.messages': {
    kind: 'counter',
    unit: '{message}',
    about: 'Events the relay published and the broker acknowledged.',
    labels: ['corner.event.type'],
  },
  'messaging.process.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Runs of reactions. A run that failed was rolled back and comes again.',
    labels: ['corner.event.handler', 'corner.outcome'],
    buckets: short,
  },
  'corner.event.delay': {
    kind: 'histogram',
    unit: 's',
    about: 'Events worked through, by the time from their telling to the commit of their effects.',
    labels: ['corner.event.type'],
    buckets: long,
  },
  'corner.redeliveries': {
    kind: 'counter',
    unit: '{message}',
    about: 'Messages that the broker delivered again.',
    labels: ['corner.event.type'],
  },
  'corner.dead_letters.buried': {
    kind: 'counter',
    unit: '{event}',
    about: 'Events set aside because they could not be worked through.',
    labels: ['corner.event.type'],
  },
  'corner.dead_letters.open': { kind: 'gauge', unit: '{event}', about: 'Dead letters nobody has settled yet.', labels: [] },
  'corner.outbox.backlog': {
    kind: 'gauge',
    unit: '{event}',
    about: 'Events told and not known to be in the stream, up to 10,000.',
    labels: [],
  },
  'corner.outbox.age': { kind: 'gauge', unit: 's', about: 'How long the oldest of them has waited; 0 when none does.', labels: [] },
  'corner.consumer.lag': {
    kind: 'gauge',
    unit: '{event}',
    about: 'Events in a teller’s stream that this service has not acknowledged.',
    labels: ['corner.producer'],
  },
  'corner.relay.leading': { kind: 'level', unit: '{process}', about: '1 in the replica whose relay carries the outbox.', labels: [] },
  'corner.relay.rewinds': { kind: 'total', unit: '{rewind}', about: 'Times the broker had lost what it acknowledged.', labels: [] },
  'corner.job.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Runs of schedules.',
    labels: ['corner.job', 'corner.outcome'],
    buckets: long,
  },
  'corner.job.last_success': {
    kind: 'gauge',
    unit: 's',
    about: 'Unix time of the last run here that ended well; the start of the process before the first.',
    labels: ['corner.job'],
  },
  'corner.job.interval': { kind: 'gauge', unit: 's', about: 'How often it is due.', labels: ['corner.job'] },
  'db.client.connection.count': {
    kind: 'level',
    unit: '{connection}',
    about: 'Turns at the database: taken, and free.',
    labels: ['db.client.connection.state'],
  },
  'db.client.connection.max': { kind: 'level', unit: '{connection}', about: 'Turns there are.', labels: [] },
  'db.client.connection.pending_requests': { kind: 'level', unit: '{request}', about: 'Statements that wait for a turn.', labels: [] },
  'process.memory.usage': { kind: 'level', unit: 'By', about: 'Resident memory.', labels: [] },
  'v8js.memory.heap.used': { kind: 'level', unit: 'By', about: 'Memory of living objects.', labels: [] },
  'process.cpu.time': { kind: 'total', unit: 's', about: 'Processor time, user and system.', labels: [] },
  'process.uptime': { kind: 'gauge', unit: 's', about: 'Since the process began.', labels: [] },
  'nodejs.eventloop.delay.p99': { kind: 'gauge', unit: 's', about: '99th percentile since the last reading.', labels: [] },
  'nodejs.eventloop.delay.max': { kind: 'gauge', unit: 's', about: 'The longest since the last reading.', labels: [] },
  'nodejs.eventloop.time': { kind: 'total', unit: 's', about: 'Time the loop worked and idled.', labels: ['nodejs.eventloop.state'] },
} as const satisfies Readonly<Record<string, Metric>>;

export type Catalog = typeof catalog;
export type MetricName = keyof Catalog;
export type LabelsOf<N extends MetricName> = { readonly [L in Catalog[N]['labels'][number]]: string | number };
/** The metrics that are measured where things happen. */
export type MeasuredName = { [N in MetricName]: Catalog[N]['kind'] extends 'counter' | 'histogram' ? N : never }[MetricName];
/** The metrics that are read when somebody collects. */
export type ObservedName = Exclude<MetricName, MeasuredName>;
