import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';

const checkout = `${import.meta.dirname}/..`;
const script = `${checkout}/deploy/pipeline/publish.sh`;
const dryRun = (...given: readonly string[]) =>
  execFileSync(script, [...given, '--dry-run'], { encoding: 'utf8' })
    .trim()
    .split('\n');

test('a release has an image of every process that compose builds and a deployment runs, all built before the first is pushed', () => {
  const left = ['sandbox'];
  const lines = dryRun('1.2.0', 'registry.example.com/corner');
  const built = lines.flatMap(
    (line) => /^docker build --build-arg SERVICE=(\w+) --tag registry\.example\.com\/corner\/\1:1\.2\.0 \.$/.exec(line)?.[1] ?? [],
  );
  const inCompose = [...readFileSync(`${checkout}/docker-compose.yml`, 'utf8').matchAll(/SERVICE: (\w+)/g)].map(([, name]) => name);
  expect([...built, ...left].toSorted()).toEqual([...new Set(inCompose)].toSorted());
  expect(built).toEqual(expect.arrayContaining([...services, 'gateway', 'console']));
  const firstPush = lines.findIndex((line) => line.startsWith('docker push'));
  expect(lines.slice(firstPush, firstPush + built.length)).toEqual(
    built.map((name) => `docker push registry.example.com/corner/${name}:1.2.0`),
  );
  expect(lines.at(-1)).toMatch(/^npm publish \S+\/corner-client-\d+\.\d+\.\d+\.tgz --access public$/);
});

test('a release without a version or registry is refused with how to call it', () => {
  for (const given of [[], ['1.2'], ['1.2.0'], ['1.2.0', 'registry', '--now']]) {
    const { status, stderr } = spawnSync(script, given, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 64, stderr: expect.stringContaining('publish.sh VERSION REGISTRY') });
  }
});

test('the workflow of a tag runs the script', () => {
  const workflow = readFileSync(`${checkout}/.github/workflows/publish.yml`, 'utf8');
  expect(workflow).toContain('deploy/pipeline/publish.sh');
  expect(workflow).not.toContain('docker build');
});

test.each([
  ['Tests: 4 passed, 4 total', 0, '8 passed, 0 failed'],
  ['\\0 no text\\nTests: 4 passed, 4 total', 0, '8 passed, 0 failed'],
  ['Tests: 1 failed, 4 passed, 5 total', 1, '8 passed, 2 failed'],
  ['no test ran', 0, '0 passed, 2 failed'],
])('the verdict counts the tests of both runs, of which each prints %j and ends with %i: %s', async (printed, status, verdict) => {
  await using folder = await testFolder();
  for (const name of ['.ci', 'bin']) mkdirSync(`${folder.path}/${name}`);
  copyFileSync(`${checkout}/.ci/run`, `${folder.path}/.ci/run`);
  writeFileSync(`${folder.path}/bin/npm`, `#!/bin/sh\nprintf '${printed}\\n'\nexit ${status}\n`, { mode: 0o755 });
  const run = spawnSync(`${folder.path}/.ci/run`, {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder.path}/bin:${process.env.PATH}` },
  });
  expect([run.stdout.trim().split('\n').at(-1), run.status]).toEqual([verdict, verdict.endsWith(' 0 failed') ? 0 : 1]);
});
