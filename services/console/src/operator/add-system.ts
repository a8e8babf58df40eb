import { System } from '@corner/console-api';
import { readStatus, type ServiceName, services } from '@corner/contracts';
import type { Platform } from '@corner/operator';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { operator } from '../http/guards.ts';

type Process = z.input<typeof System>['processes'][number];

const Health = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.string()).default({}),
  version: z.string().nullable().default(null),
});
const timeoutMs = 5_000;

export function addSystem(api: Api, { platform, health, startedAt, version }: SystemOptions): void {
  const unknown = { version: null, started_at: null, open_dead_letters: null };
  const serviceNamed = async (name: ServiceName): Promise<Process> => {
    try {
      const { version, started_at, ready, checks, open_dead_letters } = await platform.call(readStatus(name), {});
      return { name, ready, checks, version, started_at, open_dead_letters };
    } catch (error) {
      const fault = platform.whyNot(error);
      const seen = await readHealth(health.get(name));
      return { name, ...unknown, ready: false, checks: { ...seen?.checks, status: fault } };
    }
  };
  const otherNamed = async (name: string): Promise<Process> => {
    const seen = await readHealth(health.get(name));
    const checks = seen?.checks ?? { status: 'it did not respond' };
    return { name, ...unknown, ready: seen?.ready ?? false, checks, version: seen?.version ?? null };
  };
  api.get('/api/operator/system', operator('operator:read'), System, async () => ({
    processes: [
      ...(await Promise.all(platform.services.map(serviceNamed))),
      ...(await Promise.all([...health.keys()].filter((name) => !services.some((service) => service === name)).map(otherNamed))),
      { name: 'console', ready: true, checks: {}, version, started_at: startedAt.toISOString(), open_dead_letters: null },
    ],
  }));
}

async function readHealth(address: string | undefined): Promise<z.output<typeof Health> | null> {
  if (address === undefined) return null;
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    return Health.parse(await response.json());
  } catch {
    return null;
  }
}

interface SystemOptions {
  readonly platform: Platform;
  readonly health: ReadonlyMap<string, string>;
  readonly startedAt: Date;
  readonly version: string;
}
