import * as contracts from '@corner/contracts';
import { access, type EventContract, services } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { checkout, readFiles } from './walls/read-files.ts';

interface ServiceModule {
  readonly eventHandlers: Readonly<Record<string, { readonly event: EventContract }>>;
}

/** The RPC of that name among the exports of the contracts. */
const rpcNamed = (constant: string) => (contracts as unknown as Record<string, { readonly name: string } | undefined>)[constant];

describe.each(services)('the access of %s, from which its NATS user is computed', (service) => {
  test('names the events that it has handlers for', async () => {
    const { eventHandlers } = (await import(`${checkout}/services/${service}/src/service.ts`)) as ServiceModule;
    const handled = new Set(Object.values(eventHandlers).map(({ event }) => event.type));
    expect(access[service].consumes.map(({ type }) => type).sort()).toEqual([...handled].sort());
  });

  test('names the RPCs that it calls', () => {
    const calls = new Set<string>();
    for (const [path, text] of readFiles()) {
      if (!path.startsWith(`services/${service}/src/`) || /\.test\.ts$|\/testing\//.test(path)) continue;
      for (const [, constant = ''] of text.matchAll(/\bcall\((\w+),/g)) calls.add(rpcNamed(constant)?.name ?? constant);
    }
    expect(access[service].calls.map(({ name }) => name).sort()).toEqual([...calls].sort());
  });
});
