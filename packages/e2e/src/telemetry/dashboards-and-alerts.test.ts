import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { catalog } from '@corner/chassis/metrics-catalog';
import { checkout } from '@corner/sandbox/system';
import { expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';

const deploy = `${checkout}/deploy`;
const read = (path: string) => readFileSync(`${deploy}/${path}`, 'utf8');

function alertExpressions(): Map<string, string> {
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

const panelExpressions = (): string[] =>
  readdirSync(`${deploy}/grafana`)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => (JSON.parse(read(`grafana/${file}`)) as { panels: { targets: { expr: string }[] }[] }).panels)
    .flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Throws when the expression is not valid PromQL. */
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

const exported = new Set(
  Object.entries(catalog).flatMap(([name, { kind, unit }]) => {
    const base = `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : unit === 'By' ? '_bytes' : ''}`;
    if (kind === 'histogram') return ['bucket', 'count', 'sum'].map((part) => `${base}_${part}`);
    return [kind === 'counter' || kind === 'total' ? `${base}_total` : base];
  }),
);

const pagesOfOperators = () =>
  ['operating', 'deploying', 'backups', 'privacy'].map((name) => readFileSync(`${deploy}/../docs/${name}.md`, 'utf8')).join('');

test('every alert and every panel is valid PromQL over exported metrics', () => {
  const alerts = [...alertExpressions().values()];
  expect(alerts.length).toBeGreaterThan(9);
  const expressions = [...alerts, ...panelExpressions()].map((expression) => [expression, metricsIn(expression)] as const);
  expect(expressions.filter(([expression, names]) => names.length === 0 && !/^(?:absent\()?up\{/.test(expression))).toEqual([]);
  expect(expressions.flatMap(([, names]) => names).filter((name) => !exported.has(name))).toEqual([]);
});

test('an alert about what a process may find before it is scraped for the first time looks at young processes too', () => {
  const found = [...alertExpressions().values()].flatMap((expression) => {
    const [, name = ''] = /increase\((\w+)/.exec(expression) ?? [];
    return /restores/.test(name) ? [expression.includes(`(${name} and on (instance) process_uptime_seconds < `)] : [];
  });
  expect(found).toEqual([true]);
});

const metricsList = (): string =>
  Object.entries(catalog)
    .map(
      ([name, { kind, description, labels }]) =>
        `- ${code(name)} (${[kind, labels.map(code).join(', ')].filter(Boolean).join('; ')}): ${description}`,
    )
    .join('\n');

const code = (name: string): string => `\`${name}\``;

// UPDATE_DOCS=1 writes the list; npm run fix wraps its lines.
test('docs/telemetry.md holds the metrics of the catalogue with their kind, labels and meaning', () => {
  const path = `${checkout}/docs/telemetry.md`;
  const page = readFileSync(path, 'utf8');
  const expected = page.replace(
    /(Each metric with its kind and labels:\n\n)[\s\S]*?\n\n/,
    (_all, head: string) => `${head}${metricsList()}\n\n`,
  );
  if (process.env.UPDATE_DOCS) writeFileSync(path, expected);
  else expect(page.replaceAll(/\s+/g, ' ')).toBe(expected.replaceAll(/\s+/g, ' '));
});

test('docs/operating.md says of every alert what customers notice, whether it waits until the morning, and where more is', () => {
  const alerts = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)\n[\s\S]*?severity: (\w+)/g)].map(([, name, severity]) => [
    name,
    severity === 'page' ? 'no' : 'yes',
  ]);
  expect(alerts).toHaveLength(alertExpressions().size);
  const [, section = ''] = readFileSync(`${deploy}/../docs/operating.md`, 'utf8').split(/^## (?=Alerts$)/m);
  const rows = [...section.matchAll(/^\| `(\w+)` +\| \S.*? \| (no|yes) +\| \[.+ \|$/gm)].map(([, name, waits]) => [name, waits]);
  expect(rows).toEqual(alerts);
});

test('the summary of every alert names the page of docs that explains it', () => {
  const summaries = [...read('prometheus/alerts.yml').matchAll(/summary: "(.*)"/g)].map(([, summary]) => summary ?? '');
  expect(summaries).toHaveLength(alertExpressions().size);
  expect(summaries.filter((summary) => !summary.includes('docs/operating.md'))).toEqual([]);
});

interface Command {
  name(): string;
  readonly commands: readonly Command[];
  readonly options: readonly { readonly long: string | null; readonly required: boolean }[];
  readonly registeredArguments: readonly { readonly required: boolean; readonly argChoices?: readonly string[] }[];
}

async function existingCommands(): Promise<Map<string, Command>> {
  const { corner } = (await import(`${checkout}/packages/cli/src/program.ts`)) as { readonly corner: Command };
  const all = corner.commands;
  return new Map(
    all.flatMap((command): [string, Command][] => [
      [command.name(), command],
      ...command.commands.map((child): [string, Command] => [`${command.name()} ${child.name()}`, child]),
    ]),
  );
}

function faultOf(line: string, commands: ReadonlyMap<string, Command>): string | null {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).slice(1);
  const command = commands.get(words.slice(0, 2).join(' ')) ?? commands.get(words[0] ?? '');
  if (!command) return `no such command: ${line}`;
  const rest = words.slice(commands.has(words.slice(0, 2).join(' ')) ? 2 : 1);
  let argumentCount = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (!word.startsWith('--')) argumentCount += 1;
    else {
      const option = command.options.find(({ long }) => long === word);
      if (!option) return `no such option: ${line}`;
      if (option.required) at += 1;
    }
  }
  const required = command.registeredArguments.filter((argument) => argument.required).length;
  return argumentCount < required || argumentCount > command.registeredArguments.length ? `takes other arguments: ${line}` : null;
}

const commandsIn = (text: string): string[] => [...text.matchAll(/`(?:npx )?(corner [^`]+)`/g)].map(([, line]) => line ?? '');

test('every command in the alerts and the pages of operators exists, and an alert without one says why', async () => {
  const todos = [...read('prometheus/alerts.yml').matchAll(/^ +do: "(.*)"$/gm)].map(([, todo]) => todo ?? '');
  expect(todos).toHaveLength(alertExpressions().size);
  expect(todos.filter((todo) => commandsIn(todo).length === 0 && !/^No corner command helps: ./.test(todo))).toEqual([]);
  const commands = await existingCommands();
  const pages = pagesOfOperators();
  const named = [...todos, pages].flatMap(commandsIn).filter((line) => !/^corner (?:explain`?|…)$/.test(line));
  expect(named.length).toBeGreaterThan(15);
  expect(named.flatMap((line) => faultOf(line, commands) ?? [])).toEqual([]);
  const wrong = ['corner mend', 'corner dead-letters list --retry', 'corner dead-letters discard', 'corner explain A B'];
  expect(wrong.filter((line) => faultOf(line, commands) === null)).toEqual([]);
});

test('packages/cli/README.md lists every command and every address, and a page for operators each command for a running platform', async () => {
  const commands = await existingCommands();
  const leaves = [...commands].filter(([, command]) => command.commands.length === 0);
  const full = leaves.map(([name]) => name).filter((name) => name.includes(' ') || !leaves.some(([other]) => other.endsWith(` ${name}`)));
  const readme = readFileSync(`${checkout}/packages/cli/README.md`, 'utf8');
  const listed = [...readme.matchAll(/^\| (`.*?) +\| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => {
      const [name = '', children = ''] = text.split(' ');
      return [name, ...children.split('\\|').map((child) => `${name} ${child}`)];
    }),
  );
  expect(full.filter((name) => !listed.includes(name))).toEqual([]);
  const [place] = commands.get('address')?.registeredArguments ?? [];
  const [, described = ''] = /^\| `address .*?\| (.*) \|$/m.exec(readme) ?? [];
  expect(place?.argChoices?.filter((choice) => !described.includes(choice))).toEqual([]);
  const pages = pagesOfOperators();
  const acting = leaves.filter(([, { options }]) =>
    options.some(({ long }) => ['--nats', '--deployed', '--database'].includes(long ?? '')),
  );
  expect(acting.filter(([name]) => full.includes(name) && !pages.includes(`corner ${name}`)).map(([name]) => name)).toEqual([]);
});

test('every panel uses the provisioned data source', () => {
  const provisioned = /uid: (\w+)/.exec(read('grafana/provisioning/datasources/prometheus.yml'))?.[1];
  const dashboards = readdirSync(`${deploy}/grafana`).filter((file) => file.endsWith('.json'));
  const sources = dashboards.flatMap((file) => [...read(`grafana/${file}`).matchAll(/"uid": "(\w+)"\n/g)].map(([, uid]) => uid));
  expect(new Set(sources)).toEqual(new Set([provisioned]));
});
