import { readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { missingChangesets, packagesIn, withoutWeight } from './changesets.ts';
import { checkout } from './migrations.ts';
import { versionOf } from './released.ts';

test('each change that others can notice is described for the next version of its service', () => {
  expect(missingChangesets()).toEqual([]);
});

test('each description says what the change weighs', () => {
  expect(withoutWeight()).toEqual([]);
  const head = '---\n"@corner/orders": minor\n---\n\n';
  const described = {
    'said.md': `${head}More.\n\nWeight: 3 files, 120 lines.\n`,
    'not.md': `${head}More. Weight: 3\n`,
    'empty.md': '---\n---\n',
  };
  expect(withoutWeight(described)).toEqual(['not.md']);
});

test('a file whose head is not as changesets reads it is refused, also when it looks like a heading', () => {
  expect(packagesIn('a.md', '---\n"@corner/orders": minor\n"@corner/queue": patch\n---\n\nMore.\n')).toEqual([
    '@corner/orders',
    '@corner/queue',
  ]);
  expect(packagesIn('empty.md', '---\n---\n')).toEqual([]);
  expect(() => packagesIn('b.md', '---\n\n## "@corner/console": minor\n\nMore.\n')).toThrow('.changeset/b.md does not begin with');
});

test.each([...services, 'gateway', 'console'] as const)('the changelog of %s begins with its version', (name) => {
  const changelog = readFileSync(`${checkout}/services/${name}/CHANGELOG.md`, 'utf8');
  expect(/^## (.+)$/m.exec(changelog)?.[1]).toBe(versionOf(name));
});
