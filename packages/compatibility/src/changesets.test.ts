import { readFileSync } from 'node:fs';
import { type ServiceName, services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { missingChangesets } from './changesets.ts';
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

test.each([...services, 'gateway', 'console'] as const)('the changelog of %s begins with its version', (name) => {
  const changelog = readFileSync(`${checkout}/services/${name}/CHANGELOG.md`, 'utf8');
  expect(/^## (.+)$/m.exec(changelog)?.[1]).toBe(versionOf(name));
});
