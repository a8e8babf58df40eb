import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The cost of one paid order with all its consequences, in milliseconds of a processor: docs/measurements.md of 2026-11-23, part "paid".
 */
const processorMs = {
  orders: 5.52,
  loyalty: 2,
  queue: 0.04,
  notifications: 4.5,
  directory: 0,
  gateway: 1.07,
  postgres: 7.74,
  nats: 0.79,
} as const;
const logKilobytes = 23.7;
const forcedWrites = 6.27;
/** Events a second of one replica, and those that one replica of loyalty turns into stamps: part "burst". */
const published = 5_616;
const performed = 1_574;
/** Events of an order at the consumer of a service, from all producers: docs/scaling.md, three replicas of each service. */
const consumed = { loyalty: 1.4, notifications: 3.4 } as const;
/** The share of a processor above which the autoscalers start another replica. */
const share = 0.6;
const leastReplicas = 2;
/** Connections of one replica to Postgres: docs/servers.md. */
export const connections = { service: 8, gateway: 8 } as const;

const services = ['orders', 'loyalty', 'queue', 'notifications', 'directory'] as const;
/** Paid orders a second: today's busiest minute, and 10, 100 and 1,000 times as many. */
const rates = [1, 10, 100, 1_000] as const;

const replicasOf = (process: keyof typeof processorMs, rate: number): number =>
  Math.max(leastReplicas, Math.ceil((processorMs[process] * rate) / 1_000 / share));

const connectionsAt = (rate: number): number =>
  services.reduce((sum, service) => sum + replicasOf(service, rate) * connections.service, 0) +
  replicasOf('gateway', rate) * connections.gateway;

const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');
const percent = (part: number, of: number): string => {
  const value = (100 * part) / of;
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(0)} %`;
};

export function scalingRows(): readonly (readonly string[])[] {
  const row = (name: string, at: (rate: number) => string) => [name, ...rates.map(at)];
  return [
    ...[...services, 'gateway' as const].map((name) => row(`replicas of ${name}`, (rate) => whole(replicasOf(name, rate)))),
    row('processors of Postgres', (rate) => ((processorMs.postgres * rate) / 1_000 / share).toFixed(2)),
    row('processors of NATS', (rate) => ((processorMs.nats * rate) / 1_000 / share).toFixed(2)),
    row('connections to Postgres', (rate) => whole(connectionsAt(rate))),
    row('write-ahead log, MB/s', (rate) => ((logKilobytes * rate) / 1_000).toFixed(2)),
    row('forced writes of the log a second', (rate) => whole(forcedWrites * rate)),
    row('of what one relay can publish, were all from one service', (rate) => percent(consumed.notifications * rate, published)),
    row('of what the consumer of loyalty can perform', (rate) => percent(consumed.loyalty * rate, performed)),
    row('of what the consumer of notifications can perform', (rate) => percent(consumed.notifications * rate, performed)),
  ];
}

export function scalingTable(): string {
  const lines = [['paid orders a second', ...rates.map(whole)], ['---', ...rates.map(() => '---:')], ...scalingRows()];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const marker = /(<!-- model -->\n)[\s\S]*?(<!-- end of the model -->)/;
const path = `${import.meta.dirname}/../docs/scaling.md`;

if (process.argv[1] === import.meta.filename) {
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(marker, (_, before: string, after: string) => `${before}\n${scalingTable()}\n\n${after}`),
  );
}
