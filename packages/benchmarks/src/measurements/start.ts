import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { startSystem } from '@corner/sandbox/system';
import { type Finding, spread } from '../report/figures.ts';
import type { PartOptions } from './part.ts';

export async function measureStart({ repetitions, log, stop }: PartOptions): Promise<Finding[]> {
  const dataDir = await mkdtemp(`${tmpdir()}/corner-start-`);
  const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  const took: number[] = [];
  try {
    for (let repetition = 0; repetition <= repetitions; repetition += 1) {
      const began = performance.now();
      const system = await startSystem({ dataDir, ports: 'any', env, stop });
      const seconds = (performance.now() - began) / 1000;
      await system.stop();
      if (repetition > 0) took.push(seconds);
      log(`start ${repetition}/${repetitions}: ${seconds.toFixed(1)} s`);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return [{ what: 'the whole system, warm: started', unit: 's', figure: spread(took, 'less'), goal: { at: 'most', value: 3 } }];
}
