import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
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
