import type { Express } from 'express';
import { inTime } from '../async/waiting.ts';
import { currentMetrics } from '../telemetry/metrics.ts';

/**
 * The checks of a process. Each returns null when all is well, else one sentence for the operator. `notes` do not make it unready: while
 * the broker is away, requests are served and events wait.
 */
export interface HealthOptions {
  readonly service: string;
  readonly version?: string;
  readonly needs: Readonly<Record<string, () => Promise<string | null>>>;
  readonly notes?: Readonly<Record<string, () => string | null | Promise<string | null>>>;
  readonly draining: () => boolean;
}

/** Adds `/livez` (the process runs) and `/readyz` (it can serve; if not, why). Neither is logged, because probes call them often. */
export function addHealth(app: Express, options: HealthOptions): void {
  app.get('/livez', (_request, response) => {
    response.json({ service: options.service, alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    const { ready, checks } = await readHealth(options);
    response.status(ready ? 200 : 503).json({
      service: options.service,
      ...(options.version === undefined ? {} : { version: options.version }),
      ready,
      ...(options.draining() ? { draining: true } : {}),
      checks,
    });
  });
}

export async function readHealth(options: HealthOptions): Promise<{ readonly ready: boolean; readonly checks: Record<string, string> }> {
  const run = (checks: HealthOptions['notes'] = {}) =>
    Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await bounded(async () => await check())] as const));
  const [needs, notes] = await Promise.all([run(options.needs), run(options.notes)]);
  return {
    ready: !options.draining() && needs.every(([, fault]) => fault === null),
    checks: Object.fromEntries([...needs, ...notes].map(([name, fault]) => [name, fault ?? 'ok'])),
  };
}

/** An error's message may hold personal data, so only its name is shown. */
async function bounded(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await inTime(check(), 'no response within 2 s');
  } catch (error) {
    return error instanceof Error ? error.name : 'failed';
  }
}

/** Adds `/metrics` in the Prometheus text format, without personal data or secrets: for a port that the public does not reach. */
export function addMetrics(app: Express): void {
  app.get('/metrics', async (_request, response) => {
    const text = await currentMetrics()?.text();
    if (text === undefined) response.status(503).type('text/plain').send('This process measures nothing.\n');
    else response.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}
