import * as contracts from '@corner/contracts';
import { type AnyRpc, access, type EventContract, erasingServices, type ServiceName, services } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { checkout, readFiles } from './walls/read-files.ts';

interface ServiceModule {
  readonly eventHandlers: Readonly<Record<string, { readonly event: EventContract }>>;
}

const exported = contracts as unknown as Readonly<Record<string, AnyRpc & ((service: ServiceName) => AnyRpc)>>;

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
      for (const [, constant = ''] of text.matchAll(/\bcall\((\w+),/g)) calls.add(exported[constant]?.name ?? constant);
      // Every service has an RPC of these. The RPC of processed events is allowed to all that import.
      for (const [, constant = ''] of text.matchAll(/\bcall\((?!processedBy)(\w+)\(service\),/g))
        for (const each of erasingServices) calls.add(exported[constant]?.(each).name ?? constant);
    }
    expect(access[service].calls.map(({ name }) => name).sort()).toEqual([...calls].sort());
  });
});
