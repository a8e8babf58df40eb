import type { Accepted } from './accept.ts';
import { type Finding, reaches, short, tableOf } from './figures.ts';
import { type Machine, machineInWords } from './machine.ts';
import { isExact, type Race } from './oversell.ts';

/** All that one run of the benchmarks found. */
export interface Report {
  readonly machine: Machine;
  readonly repetitions: number;
  readonly findings: readonly Finding[];
  readonly races: readonly Race[];
  readonly accepted: Omit<Accepted, 'findings'> | null;
  readonly complaints: readonly string[];
  readonly statements: readonly string[];
}

/** The report for people. */
export function inWords({ machine, repetitions, findings, races, accepted, complaints, statements }: Report): string {
  const part = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`${title}\n${lines.map((line) => `  ${line}`).join('\n')}`] : [];
  return [
    `${machineInWords(machine)}\n${repetitions} repetitions; "worst" is the worst of them.`,
    ...(findings.length > 0 ? [tableOf(findings)] : []),
    ...(races.length > 0 ? [`24 racers for 20 units: exactly 20 sold in ${races.filter(isExact).length} of ${races.length} races.`] : []),
    ...(accepted ? part(`Processor time for one accepted order, of ${accepted.orders}:`, perOrder(accepted)) : []),
    ...part('The services warned of:', complaints.slice(0, 10)),
    ...part('Where the database spent its time:', statements),
  ].join('\n\n');
}

/** The report for programs. */
export const asJson = (report: Report): string =>
  `${JSON.stringify({ ...report, findings: report.findings.map((finding) => ({ ...finding, reached: reaches(finding) })) }, null, 2)}\n`;

function perOrder({ used, orders }: Omit<Accepted, 'findings'>): string[] {
  const all = Object.values(used).reduce((sum, value) => sum + value, 0);
  return [...Object.entries(used), ['together', all] as const]
    .sort(([, a], [, b]) => b - a)
    .map(
      ([name, value]) =>
        `${name.padEnd(23)} ${short((value / orders) * 1e6).padStart(6)} µs ${((value / all) * 100).toFixed(0).padStart(4)} %`,
    );
}
