import type { PaidLoad } from '../load/paid-orders.ts';
import { quantile, short, textTable } from '../report/figures.ts';
import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import type { StatementUse } from '../system/statement-use.ts';

export interface Window {
  readonly processor: ProcessorTime;
  readonly load: PaidLoad;
}

export interface Cost {
  readonly name: string;
  readonly windows: Window[];
  statements: readonly StatementUse[];
}

const shown = 25;

export const costReport = (theirs: Cost, ours: Cost): string => `${byProcess(theirs, ours)}\n\n${byStatement(theirs, ours)}`;

const ms = (seconds: number, { load }: Window) => (seconds / load.count) * 1000;

function byProcess(theirs: Cost, ours: Cost): string {
  const names = Object.keys(ours.windows[0]?.processor ?? {}).filter((name) => name !== 'all else on the machine');
  const figures: [string, (window: Window) => number][] = [
    ['the platform', (window) => ms(platformTime(window.processor), window)],
    ...names.map((name): [string, (window: Window) => number] => [name, (window) => ms(window.processor[name] ?? 0, window)]),
    ...(['create', 'confirm'] as const).map((step): [string, (window: Window) => number] => [
      `the wait for ${step}, p50`,
      ({ load }) => quantile(load[step], 0.5),
    ]),
  ];
  const rows = figures.map(([name, of]) => {
    const [before, after] = [theirs, ours].map(({ windows }) => windows.map(of)) as [number[], number[]];
    const ratios = after.map((value, i) => value / (before[i] ?? Number.NaN));
    const spread = [0, 0.5, 1].map((q) => quantile(ratios, q).toFixed(2)) as [string, string, string];
    return [name, short(quantile(before, 0.5)), short(quantile(after, 0.5)), spread[1], `${spread[0]} to ${spread[2]}`];
  });
  return textTable([['a paid order, ms of processor', theirs.name, ours.name, 'ratio', 'of each pair of windows'], ...rows], [1, 2, 3, 4]);
}

const labelOf = ({ service, text }: StatementUse) => `${service}: ${text.replace(/\$\d+/g, '$').slice(0, 60)}`;

function byStatement(theirs: Cost, ours: Cost): string {
  const sums = [theirs, ours].map(({ statements, windows }) => {
    const orders = windows.reduce((sum, window) => sum + window.load.count, 0);
    const of = new Map<string, { calls: number; ms: number }>();
    for (const use of statements) {
      const sum = of.get(labelOf(use)) ?? { calls: 0, ms: 0 };
      of.set(labelOf(use), { calls: sum.calls + use.calls / orders, ms: sum.ms + use.ms / orders });
    }
    return of;
  }) as [Map<string, { calls: number; ms: number }>, Map<string, { calls: number; ms: number }>];
  const none = { calls: 0, ms: 0 };
  const all = [...new Set(sums.flatMap((of) => [...of.keys()]))].map((label) => ({ label, of: sums.map((sum) => sum.get(label) ?? none) }));
  const most = ({ of }: (typeof all)[number]) => Math.max(...of.map((each) => each.ms));
  const total = {
    label: 'all',
    of: sums.map((sum) => [...sum.values()].reduce((a, b) => ({ calls: a.calls + b.calls, ms: a.ms + b.ms }), none)),
  };
  const rows = [total, ...all.toSorted((a, b) => most(b) - most(a)).slice(0, shown)].map(({ label, of: [before = none, after = none] }) => [
    label,
    before.calls.toFixed(2),
    after.calls.toFixed(2),
    before.ms.toFixed(2),
    after.ms.toFixed(2),
  ]);
  return textTable([['a statement (its time includes waiting)', 'calls before', 'now', 'ms before', 'now'], ...rows], [1, 2, 3, 4]);
}
