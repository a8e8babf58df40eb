import type { Figures, Messages, System } from '@corner/console-api';

export function countsOf({ minutes, counts }: Pick<Figures, 'minutes' | 'counts'>, beginning: string): number[] {
  const types = Object.keys(counts).filter((type) => type === beginning || type.startsWith(`${beginning}.`));
  return minutes.map((_, index) => types.reduce((sum, type) => sum + (counts[type]?.[index] ?? 0), 0));
}

export const servicesInOrder = [
  'orders',
  'loyalty',
  'queue',
  'notifications',
  'directory',
] as const satisfies Figures['lag'][number]['service'][];

/** `unknown` are the names of services that did not report a number. Other processes have no dead letters. */
export function deadLettersIn(processes: System['processes']): { readonly known: number; readonly unknown: readonly string[] } {
  const known = processes.reduce((sum, { open_dead_letters }) => sum + (open_dead_letters ?? 0), 0);
  const unknown = processes.filter(({ name, open_dead_letters }) => open_dead_letters === null && isService(name));
  return { known, unknown: unknown.map(({ name }) => name) };
}

const isService = (name: string): boolean => servicesInOrder.some((service) => service === name);

/** Returns null where a service has no sample. */
export function lagLines(lag: Figures['lag']): {
  readonly instants: string[];
  readonly lines: { readonly label: string; readonly values: (number | null)[] }[];
} {
  const instants = [...new Set(lag.map(({ at }) => at))].toSorted();
  const found = new Set<string>(lag.map(({ service }) => service));
  const services = servicesInOrder.filter((service) => found.has(service));
  const known = new Map(lag.map(({ at, service, events }) => [`${at} ${service}`, events]));
  return { instants, lines: services.map((label) => ({ label, values: instants.map((at) => known.get(`${at} ${label}`) ?? null) })) };
}

export interface ChannelCounts {
  readonly channel: string;
  readonly total: number;
  readonly states: readonly { readonly state: string; readonly count: number }[];
}

export function channelsOf(counts: Messages['counts']): ChannelCounts[] {
  const channels = Map.groupBy(counts, ({ channel }) => channel);
  return [...channels]
    .map(([channel, states]) => ({
      channel,
      total: states.reduce((sum, { count }) => sum + count, 0),
      states: states.map(({ state, count }) => ({ state, count })).toSorted((one, other) => other.count - one.count),
    }))
    .toSorted((one, other) => other.total - one.total);
}
