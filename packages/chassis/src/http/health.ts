import type { Express } from 'express';
import { currentMetrics } from '../telemetry/metrics.ts';

/** What a process says of itself. Each check answers null when well, else one sentence for the operator. */
export interface HealthOptions {
  readonly service: string;
  /** All must pass for traffic to come. */
  readonly needs: Readonly<Record<string, () => Promise<string | null>>>;
  /** Worth saying, but no reason to turn traffic away: a broker that is gone costs delay, not requests. */
  readonly notes?: Readonly<Record<string, () => string | null>>;
  readonly draining: () => boolean;
}

/** `/livez`: the process turns. `/readyz`: it can serve, and if not, why. Neither is a request worth a log line. */
export function addHealth(app: Express, options: HealthOptions): void {
  app.get('/livez', (_request, response) => {
    response.json({ service: options.service, alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    const needs = await Promise.all(Object.entries(options.needs).map(async ([name, check]) => [name, await settled(check)] as const));
    const notes = Object.entries(options.notes ?? {}).map(([name, check]) => [name, check()] as const);
    const ready = !options.draining() && needs.every(([, fault]) => fault === null);
    response.status(ready ? 200 : 503).json({
      service: options.service,
      ready,
      ...(options.draining() ? { draining: true } : {}),
      checks: Object.fromEntries([...needs, ...notes].map(([name, fault]) => [name, fault ?? 'ok'])),
    });
  });
}

async function settled(check: () => Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer within 2 s'), 2_000);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return error instanceof Error ? error.name : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `/metrics`: the figures of the process in the Prometheus text format. It names no person and no secret, yet it is for the
 * operator: it belongs on a port that the public does not reach.
 */
export function addMetrics(app: Express): void {
  app.get('/metrics', async (_request, response) => {
    const text = await currentMetrics()?.text();
    if (text === undefined) response.status(503).type('text/plain').send('This process measures nothing.\n');
    else response.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}
