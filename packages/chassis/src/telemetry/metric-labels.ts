import { events, operations, problems, producers, rpcs, services } from '@corner/contracts';

export const other = 'other';

/** Every label, with its possible values. Others are recorded as `other`, so no request's text becomes a time series. */
export const labels = {
  'http.request.method': new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  'http.route': new Set<string>(operations.map(({ path }) => path)),
  'http.response.status_code': new Set(Array.from({ length: 500 }, (_, i) => String(i + 100))),
  'corner.problem': new Set(Object.keys(problems)),
  'corner.event.type': new Set(events.map(({ type }) => type)),
  'corner.producer': new Set<string>(producers),
  'corner.service': new Set<string>(services),
  'corner.repeat.reason': new Set(['refused', 'lost', 'in_progress']),
  'corner.stream.refusal': new Set(['full', 'address', 'caller']),
  'corner.rpc': new Set(rpcs.map(({ name }) => name)),
  'corner.event.handler': new Set<string>(),
  'corner.job': new Set<string>(),
  'corner.call': new Set<string>(),
  'corner.list': new Set(['promos', 'slots']),
  'corner.cursor': new Set(['events', 'late_events', 'movements']),
  'corner.restore': new Set(['unknown_events', 'lost_events', 'renumbered']),
  'corner.channel': new Set(['email', 'push', 'sms']),
  'corner.wallet': new Set(['apple', 'google']),
  'corner.limit': new Set(['customer', 'device', 'address', 'share', 'replaced']),
  'corner.outcome': new Set(['ok', 'refused', 'failed', 'unavailable', 'overloaded']),
  'db.client.connection.state': new Set(['used', 'idle']),
  'nodejs.eventloop.state': new Set(['active', 'idle']),
} as const;

export type Label = keyof typeof labels;

/** Adds a service's entry points to the values of a label. Call it once, at the start. */
export function nameEntryPoints(
  label: 'http.route' | 'corner.rpc' | 'corner.event.handler' | 'corner.job' | 'corner.call',
  names: Iterable<string>,
): void {
  for (const name of names) labels[label].add(name);
}
