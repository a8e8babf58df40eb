import { type Log, listenForMetrics, listenHttp, type ProcessConfig } from '@corner/chassis/edge';
import express, { type Express, type RequestHandler } from 'express';

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly log: Log;
  beginDraining(): void;
}

export interface Ending {
  readonly draining: () => boolean;
  readonly stopping: AbortSignal;
  begin(): void;
  stop(): void;
}

export function createEnding(): Ending {
  const controller = new AbortController();
  let draining = false;
  const begin = () => {
    draining = true;
  };
  return {
    draining: () => draining,
    stopping: controller.signal,
    begin,
    stop() {
      begin();
      controller.abort();
    },
  };
}

export function createApp(trustedProxies: readonly string[], setHeaders: RequestHandler): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies);
  app.use(setHeaders);
  return app;
}

/** Also listens for the metrics. Disposal drains, then disposes of `started`. */
export async function serveApp(app: Express, { config, log, newId, started, ending }: Serving): Promise<RunningServer> {
  const metricsServer = await listenForMetrics(config);
  started.defer(() => metricsServer?.drain());
  const server = await listenHttp(app, { host: config.HOST, port: config.PORT, fd: config.PORT_FD, newId });
  started.defer(() => server.drain());
  log.info({ port: server.port, metrics_port: metricsServer?.port }, 'listening');
  const owned = started.move();
  return {
    url: server.url,
    port: server.port,
    log,
    beginDraining: ending.begin,
    async [Symbol.asyncDispose]() {
      ending.stop();
      await owned.disposeAsync();
    },
  };
}

interface Serving {
  readonly config: ProcessConfig & { readonly METRICS_PORT?: number | undefined };
  readonly log: Log;
  readonly newId: () => string;
  readonly started: AsyncDisposableStack;
  readonly ending: Ending;
}
