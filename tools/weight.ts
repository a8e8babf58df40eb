import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { checkout } from './walls/read-files.ts';

/** Lines count `.ts`, `.tsx`, `.sql`, `.css` and `.html`; words count Markdown. */
export interface Weight {
  readonly files: number;
  readonly source: number;
  readonly tests: number;
  readonly comments: number;
  readonly words: number;
}

type Weights = Readonly<Record<string, Weight>>;

const recorded = `${import.meta.dirname}/weight.json`;
const nothing: Weight = { files: 0, source: 0, tests: 0, comments: 0, words: 0 };
const measures = Object.keys(nothing) as readonly (keyof Weight)[];

const isOfTests = (path: string) => /\.test\.tsx?$|\/testing\/|^packages\/(testkit|e2e|simulation)\//.test(path);

/** Lines of `//` without a gap between them are one comment. */
export function commentsIn(path: string, text: string): number {
  const { comments } = parseSync(path, text);
  const continues = comments.map(({ type, start }, at) => {
    const before = comments[at - 1];
    return type === 'Line' && before?.type === 'Line' && /^\r?\n[ \t]*$/.test(text.slice(before.end, start));
  });
  return continues.filter((one) => !one).length;
}

export function weigh(path: string, text: string): Weight {
  if (path.endsWith('.md')) return { ...nothing, files: 1, words: text.split(/\s+/).filter(Boolean).length };
  const isCode = /\.tsx?$/.test(path);
  const lines = isCode || /\.(sql|css|html)$/.test(path) ? text.split('\n').length - 1 : 0;
  const [source, tests] = isOfTests(path) ? [0, lines] : [lines, 0];
  return { files: 1, source, tests, comments: isCode ? commentsIn(path, text) : 0, words: 0 };
}

const sum = (weights: readonly Weight[]): Weight =>
  weights.reduce((all, one) => Object.fromEntries(measures.map((name) => [name, all[name] + one[name]])) as unknown as Weight, nothing);

/** Weighs each package, and each other folder at the top. Files that a release keeps, and the lock file, weigh nothing. */
function weightsOfCheckout(): Weights {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: checkout, encoding: 'utf8' });
  const paths = listed.split('\n').filter((path) => existsSync(`${checkout}/${path}`) && !/^$|\/released|^pnpm-lock/.test(path));
  const parts = Object.groupBy(paths, (path) => /^(?:packages|services)\/[^/]+|^[^/]+(?=\/)/.exec(path)?.[0] ?? 'top');
  const weighAll = (of: readonly string[]) => sum(of.map((path) => weigh(path, readFileSync(`${checkout}/${path}`, 'utf8'))));
  return Object.fromEntries(Object.entries(parts).map(([part, of = []]) => [part, weighAll(of)]));
}

export function tableOf(now: Weights, before: Weights): string {
  const cell = (value: number, old: number) => `${value}${value === old ? '' : ` (${value > old ? '+' : ''}${value - old})`}`;
  const row = (part: string, one: Weight, old: Weight) => [part, ...measures.map((name) => cell(one[name], old[name]))];
  const parts = [...new Set([...Object.keys(now), ...Object.keys(before)])].sort();
  const rows = [
    ['', ...measures],
    ...parts.map((part) => row(part, now[part] ?? nothing, before[part] ?? nothing)),
    row('all', sum(Object.values(now)), sum(Object.values(before))),
  ];
  return rows.map(([part = '', ...cells]) => `${part.padEnd(26)}${cells.map((text) => text.padStart(16)).join('')}\n`).join('');
}

if (process.argv[1] === import.meta.filename) {
  const now = weightsOfCheckout();
  const before: Weights = existsSync(recorded) ? JSON.parse(readFileSync(recorded, 'utf8')) : now;
  process.stdout.write(tableOf(now, before));
  if (process.argv.includes('--record')) writeFileSync(recorded, `${JSON.stringify(now, null, 2)}\n`);
}
