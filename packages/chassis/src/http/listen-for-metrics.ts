import express from 'express';
import { addMetrics } from './health.ts';
import { type ListeningServer, listenHttp } from './http-server.ts';

/** Serves the metrics on a port of their own, for a process whose PORT is public. Null without METRICS_PORT. */
export async function listenForMetrics({ HOST, METRICS_PORT }: MetricsSettings): Promise<ListeningServer | null> {
  if (METRICS_PORT === undefined) return null;
  const app = express();
  app.disable('x-powered-by');
  addMetrics(app);
  return await listenHttp(app, { host: HOST, port: METRICS_PORT });
}

interface MetricsSettings {
  readonly HOST: string;
  readonly METRICS_PORT?: number | undefined;
}
