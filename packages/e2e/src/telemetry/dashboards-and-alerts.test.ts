import { readdirSync, readFileSync } from 'node:fs';
import { checkout } from '@corner/sandbox';
import { expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { catalog } from '../../../chassis/src/telemetry/metrics-catalog.ts';

const deploy = `${checkout}/deploy`;
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

/** A command as its library holds it. */
interface Command {
  name(): string;
  readonly commands: readonly Command[];
  readonly options: readonly { readonly long: string | null; readonly required: boolean }[];
  readonly registeredArguments: readonly { readonly required: boolean }[];
}

const isCommand = (value: unknown): value is Command => typeof value === 'object' && value !== null && 'registeredArguments' in value;

/** Commands of the command line by their words, those below others included. */
async function commandsThereAre(): Promise<Map<string, Command>> {
  const folder = `${checkout}/packages/cli/src/commands`;
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((file) => import(`${folder}/${file}`) as Promise<Record<string, unknown>>));
  const all = modules.flatMap((module) => Object.values(module)).filter(isCommand);
  return new Map(
    all.flatMap((command): [string, Command][] => [
      [command.name(), command],
      ...command.commands.map((below): [string, Command] => [`${command.name()} ${below.name()}`, below]),
    ]),
  );
}

/** What is wrong with a line that is written for the command line; null when it may be typed so. */
function faultOf(line: string, commands: ReadonlyMap<string, Command>): string | null {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).slice(1);
  const command = commands.get(words.slice(0, 2).join(' ')) ?? commands.get(words[0] ?? '');
  if (!command) return `no such command: ${line}`;
  const rest = words.slice(commands.has(words.slice(0, 2).join(' ')) ? 2 : 1);
  let given = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (!word.startsWith('--')) given += 1;
    else {
      const option = command.options.find(({ long }) => long === word);
      if (!option) return `no such option: ${line}`;
      if (option.required) at += 1;
    }
  }
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  return given < needed || given > command.registeredArguments.length ? `takes other arguments: ${line}` : null;
}

const commandsIn = (text: string): string[] => [...text.matchAll(/`(corner [^`]+)`/g)].map(([, line]) => line ?? '');

test('every alert names a command that exists, or says why none helps; so does the page it leads to', async () => {
  const todos = [...read('prometheus/alerts.yml').matchAll(/^ +do: "(.*)"$/gm)].map(([, todo]) => todo ?? '');
  expect(todos).toHaveLength(expressionsOfAlerts().size);
  expect(todos.filter((todo) => commandsIn(todo).length === 0 && !/^No corner command helps: ./.test(todo))).toEqual([]);
  const commands = await commandsThereAre();
  const operating = readFileSync(`${deploy}/../docs/operating.md`, 'utf8');
  const named = [...todos, operating].flatMap(commandsIn).filter((line) => !/^corner explain`?$/.test(line));
  expect(named.length).toBeGreaterThan(15);
  expect(named.flatMap((line) => faultOf(line, commands) ?? [])).toEqual([]);
  // What the check is worth: none of these could be typed.
  const wrong = ['corner mend', 'corner dead-letters list --retry', 'corner dead-letters discard', 'corner explain A B'];
  expect(wrong.filter((line) => faultOf(line, commands) === null)).toEqual([]);
});

test('every panel reads the source that is provisioned, and every image beside the system is of one version', () => {
  const provisioned = /uid: (\w+)/.exec(read('grafana/provisioning/datasources/prometheus.yml'))?.[1];
  const dashboards = readdirSync(`${deploy}/grafana`).filter((file) => file.endsWith('.json'));
  const asked = dashboards.flatMap((file) => [...read(`grafana/${file}`).matchAll(/"uid": "(\w+)"\n/g)].map(([, uid]) => uid));
  expect(new Set(asked)).toEqual(new Set([provisioned]));
  const compose = readFileSync(`${deploy}/../docker-compose.yml`, 'utf8');
  const beside = [...compose.matchAll(/profiles: \[(?:observability|telemetry)\]\n +image: (\S+)/g)].map(([, image]) => image ?? '');
  expect(beside).toHaveLength(3);
  expect(beside.filter((image) => !/:v?\d+\.\d+\.\d+$/.test(image))).toEqual([]);
});
