import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { catalog } from '../../chassis/src/metrics-catalog.ts';

const deploy = `${import.meta.dirname}/../../../deploy`;
const read = (path: string) => readFileSync(`${deploy}/${path}`, 'utf8');

/** The alert rules' expressions, by name. YAML's folded lines are joined. */
function expressionsOfAlerts(): Map<string, string> {
  const rules = read('prometheus/alerts.yml')
    .split(/^ +- alert: /m)
    .slice(1);
  return new Map(
    rules.map((rule) => {
      const [name = ''] = rule.split('\n');
      const expression = /^ +expr: (?:>-\n)?([\s\S]*?)\n +(?:for|labels):/m.exec(rule)?.[1] ?? '';
      return [name, expression.replaceAll(/\s+/g, ' ').trim()];
    }),
  );
}

const expressionsOfDashboards = (): string[] =>
  readdirSync(`${deploy}/grafana`)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => (JSON.parse(read(`grafana/${file}`)) as { panels: { targets: { expr: string }[] }[] }).panels)
    .flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** The metrics an expression reads; throws where Prometheus would not read it. */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, name, from, to }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression}`);
      if (name === 'Identifier' || name === 'MetricIdentifier') names.push(expression.slice(from, to));
    },
  });
  return names.filter((name) => /^[a-z]\w*_\w+$/.test(name) && !labelNames.has(name));
}

const labelNames = new Set(Object.values(catalog).flatMap(({ labels }) => labels.map((label) => label.replaceAll(/\W/g, '_'))));

/** Every name the catalogue's metrics have in Prometheus, histograms by their three parts. */
const exported = new Set(
  Object.entries(catalog).flatMap(([name, { kind, unit }]) => {
    const base = `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : unit === 'By' ? '_bytes' : ''}`;
    if (kind === 'histogram') return ['bucket', 'count', 'sum'].map((part) => `${base}_${part}`);
    return [kind === 'counter' || kind === 'total' ? `${base}_total` : base];
  }),
);

test('every alert and every panel is PromQL over metrics that a process tells', () => {
  const alerts = [...expressionsOfAlerts().values()];
  expect(alerts.length).toBeGreaterThan(9);
  const asked = [...alerts, ...expressionsOfDashboards()].map((expression) => [expression, metricsIn(expression)] as const);
  expect(asked.filter(([expression, names]) => names.length === 0 && !expression.startsWith('up'))).toEqual([]);
  expect(asked.flatMap(([, names]) => names).filter((name) => !exported.has(name))).toEqual([]);
});

test('every metric is on a dashboard or in an alert, or in the operators’ table', () => {
  const table = readFileSync(`${deploy}/../docs/telemetry.md`, 'utf8');
  expect(Object.keys(catalog).filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('every alert says what to do, and where more of it stands', () => {
  const summaries = [...read('prometheus/alerts.yml').matchAll(/summary: "(.*)"/g)].map(([, summary]) => summary ?? '');
  expect(summaries).toHaveLength(expressionsOfAlerts().size);
  expect(summaries.filter((summary) => !summary.includes('docs/operating.md'))).toEqual([]);
});
