import type { Accepted } from '../measurements/accept-orders.ts';
import { isExact, type Race } from '../measurements/oversell.ts';
import { type Finding, reaches, short, tableOf } from './figures.ts';
import { type Machine, machineLine } from './machine.ts';

/** The results of one run of the benchmarks. */
export interface Report {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly findings: readonly Finding[];
  readonly races: readonly Race[];
  readonly accepted: Omit<Accepted, 'findings'> | null;
  readonly warnings: readonly string[];
  readonly statements: readonly string[];
}

/** The report as text. */
export function reportAsText({ machine, repetitions, findings, races, accepted, warnings, statements }: Report): string {
  const part = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`${title}\n${lines.map((line) => `  ${line}`).join('\n')}`] : [];
  return [
    `${machineLine(machine)}\n${repetitions} repetitions; "worst" is the worst of them.`,
    ...(findings.length > 0 ? [tableOf(findings)] : []),
    ...(races.length > 0
      ? [`24 customers for 20 units: exactly 20 sold in ${races.filter(isExact).length} of ${races.length} races.`]
      : []),
    ...(accepted ? part(`Processor time for one accepted order, of ${accepted.orders}:`, perOrder(accepted)) : []),
    ...part('Warnings and errors of the services:', warnings.slice(0, 10)),
    ...part('Where the database spent its time:', statements),
  ].join('\n\n');
}

/** The report as JSON. */
export const reportAsJson = (report: Report): string =>
  `${JSON.stringify({ ...report, findings: report.findings.map((finding) => ({ ...finding, reached: reaches(finding) })) }, null, 2)}\n`;

function perOrder({ used, orders }: Omit<Accepted, 'findings'>): string[] {
  const all = Object.values(used).reduce((sum, value) => sum + value, 0);
  return [...Object.entries(used), ['total', all] as const]
    .sort(([, a], [, b]) => b - a)
    .map(
      ([name, value]) =>
        `${name.padEnd(23)} ${short((value / orders) * 1e6).padStart(6)} µs ${((value / all) * 100).toFixed(0).padStart(4)} %`,
    );
}
