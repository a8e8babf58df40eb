import { readFileSync } from 'node:fs';
import { type ServiceName, services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { missingChangesets, packagesIn } from './changesets.ts';
import { checkout } from './checkout.ts';
import { releasedSurface, versionOf } from './released.ts';
import { surfaceOf } from './surface.ts';

test('each change that others can notice is described for the next version of its service', () => {
  expect(missingChangesets()).toEqual([]);
});

test('a change that no file describes is named', () => {
  const changed = (service: ServiceName, version: string) => {
    const released = releasedSurface(service, version) ?? surfaceOf(service, version);
    return service === 'queue' ? { ...released, operations: {} } : released;
  };
  expect(missingChangesets(changed, [])).toEqual([expect.stringMatching(/^queue has changed for others since .*: describe it with/)]);
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
