import type { Express } from 'express';
import { inTime } from '../async/waiting.ts';
import { currentMetrics } from '../telemetry/metrics.ts';

/** The checks of a process. Each returns null when all is well, else one sentence for the operator. */
export interface HealthOptions {
  readonly service: string;
  /** What runs, for the page about the system; absent where it is read otherwise. */
  readonly version?: string;
  /** All must pass for the process to be ready. */
  readonly needs: Readonly<Record<string, () => Promise<string | null>>>;
  /** Shown, but no reason to send traffic elsewhere: while the broker is away, requests are served and events wait. */
  readonly notes?: Readonly<Record<string, () => string | null>>;
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

/** Runs all checks. Each is `ok` or one sentence. */
export async function readHealth(options: HealthOptions): Promise<{ readonly ready: boolean; readonly checks: Record<string, string> }> {
  const needs = await Promise.all(Object.entries(options.needs).map(async ([name, check]) => [name, await bounded(check)] as const));
  const notes = Object.entries(options.notes ?? {}).map(([name, check]) => [name, check()] as const);
  return {
    ready: !options.draining() && needs.every(([, fault]) => fault === null),
    checks: Object.fromEntries([...needs, ...notes].map(([name, fault]) => [name, fault ?? 'ok'])),
  };
}

/** Runs a check. An error's message may hold personal data, so only its name is shown. */
async function bounded(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await inTime(check(), 'no response within 2 s');
  } catch (error) {
    return error instanceof Error ? error.name : 'failed';
  }
}

/**
 * Adds `/metrics`: the metrics of the process in the Prometheus text format. They hold no personal data and no secret, but they are for the
 * operator, so they belong on a port that the public does not reach.
 */
export function addMetrics(app: Express): void {
  app.get('/metrics', async (_request, response) => {
    const text = await currentMetrics()?.text();
    if (text === undefined) response.status(503).type('text/plain').send('This process measures nothing.\n');
    else response.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}
