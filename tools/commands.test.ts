import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { checkout, readDocuments } from './walls/read-files.ts';

const { scripts } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as { scripts: Readonly<Record<string, string>> };

function cannotRun(path: string, text: string): string[] {
  const code = [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([found]) => found).join('\n');
  const found = (pattern: RegExp, why: string) => [...code.matchAll(pattern)].map(([command]) => `${path}: ${command} ${why}`);
  const sources = path.startsWith('services/') ? 'src|tools|packages|services' : 'tools|packages|services';
  return [
    ...found(/(?<!npx (?:--yes )?)\bpnpm (?:-|run|exec|test|install)\S*.*/g, 'needs pnpm'),
    ...found(
      new RegExp(`(?<![\\w/.-])node (?:(?:${sources})/\\S+\\.ts|-e "import\\('@corner).*`, 'g'),
      'needs a Node that runs TypeScript',
    ),
    ...[...code.matchAll(/\bnpm run ([\w:-]+)/g)]
      .filter(([, name = '']) => !(name in scripts))
      .map(([command]) => `${path}: ${command} is no script of package.json`),
  ];
}

test('every command of a document can be run with Node 20 and npm, and every script that it names exists', () => {
  expect([...readDocuments()].flatMap(([path, text]) => cannotRun(path, text))).toEqual([]);
});

test('a script of package.json calls no pnpm that npm cannot find', () => {
  const called = Object.entries(scripts).filter(([name]) => !name.includes(':'));
  expect(called.filter(([, command]) => /(?<!npx --yes )\bpnpm\b/.test(command)).map(([name]) => name)).toEqual([]);
});

test('every script that the workflow runs exists', () => {
  const workflow = readFileSync(`${checkout}/.github/workflows/ci.yml`, 'utf8');
  const named = [...workflow.matchAll(/run: npm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named).toEqual(['demo', 'test', 'test:full']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

test('commands that cannot be run are found', () => {
  const text = '`pnpm exec changeset`, `npx pnpm@12.21.0 ls`, `node tools/mutants.ts`, `node src/main.ts`\n```sh\nnpm run nothing\n```';
  const ends = ['pnpm exec changeset` needs pnpm', 'node tools/mutants.ts` needs a Node that runs TypeScript'];
  expect(cannotRun('README.md', text)).toEqual([...ends, 'npm run nothing is no script of package.json'].map((end) => `README.md: ${end}`));
  expect(cannotRun('services/queue/README.md', text)).toHaveLength(4);
});
