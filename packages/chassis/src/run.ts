import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Resource } from '@opentelemetry/resources';
import { ConfigFault, type ProcessConfig } from './config.ts';
import { watchExports } from './telemetry/export-watch.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { alsoTakeLines, standardOutput } from './telemetry/log-output.ts';
import { startMetrics } from './telemetry/metrics.ts';
import { observeProcess } from './telemetry/observe-process.ts';
import { resourceOf, versionIn } from './telemetry/resource.ts';
import { startTelemetry } from './telemetry/telemetry.ts';

export interface Runnable extends AsyncDisposable {
  readonly log: Log;
  beginDraining(): void;
}

/** Seconds a stop may take before the process exits anyway. The next process repairs what was in progress. */
const stopSeconds = 10;

/** Runs a process: telemetry, `start`, draining on SIGTERM or SIGINT. A wrong configuration exits with 78, a failed start with 1. */
export async function run(name: string, readConfig: () => ProcessConfig, start: () => Promise<Runnable>): Promise<void> {
  // Where these are files on a full disk, a warning of the runtime would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  collectGarbageEarly();
  const started = exitOnSignal(name);
  try {
    const config = readConfig();
    const resource = resourceOf({
      service: name,
      version: versionIn(join(dirname(process.argv[1] ?? ''), '..')),
      environment: config.NODE_ENV,
      attributes: config.OTEL_RESOURCE_ATTRIBUTES,
    });
    const lines = await sendLines(name, config, resource);
    const { processors, readers } = await collectorOf(name, config);
    const telemetry = startTelemetry({ service: name, resource, processors, ratio: config.OTEL_TRACES_SAMPLER_ARG });
    const metrics = startMetrics({ service: name, resource, readers });
    observeProcess();
    const running = await start();
    started();
    stopOnSignal(running, config.DRAIN_SECONDS, () => Promise.allSettled([telemetry.stop(), metrics.stop(), lines?.stop()]));
    exitOnBug(running.log);
  } catch (error) {
    process.stderr.write(
      `${name}: ${error instanceof ConfigFault ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(error instanceof ConfigFault ? 78 : 1);
  }
}

/** Has V8 collect its old generation at 30 % growth, not several times: a service otherwise holds more garbage than data. */
export const collectGarbageEarly = (): void => setFlagsFromString('--heap-growing-percent=30');

/** The exporters of telemetry. Without a collector there are none, and their modules are not loaded. */
async function collectorOf(
  name: string,
  { LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRIC_EXPORT_INTERVAL: everyMs }: ProcessConfig,
) {
  if (endpoint === undefined) return { processors: [], readers: [] };
  const { sendSpansTo, pushMetricsTo } = await import('./telemetry/collector.ts');
  const watch = watchExports(endpoint, createLog(name, LOG_LEVEL));
  return { processors: [sendSpansTo(endpoint, watch)], readers: [pushMetricsTo(endpoint, everyMs, watch)] };
}

/** Has log lines sent to their collector, where there is one. What is said of that collector is on standard output alone, or it would be sent. */
async function sendLines(name: string, { LOG_LEVEL, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint }: ProcessConfig, resource: Resource) {
  if (endpoint === undefined) return null;
  const { sendLinesTo } = await import('./telemetry/send-lines.ts');
  const lines = sendLinesTo(endpoint, resource, watchExports(endpoint, createLog(name, LOG_LEVEL, standardOutput()), 'log lines'));
  alsoTakeLines(lines.take);
  return lines;
}

/** Ends the process at once on a signal while it starts: process 1 of a container needs a handler. Returns a function that removes it. */
function exitOnSignal(name: string): () => void {
  const exit = (signal: string) => {
    process.stderr.write(`${name}: ended by ${signal} while it started\n`);
    process.exit(0);
  };
  for (const signal of signals) process.on(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}

const signals = ['SIGTERM', 'SIGINT'] as const;

function stopOnSignal(running: Runnable, drainSeconds: number, stopTelemetry: () => Promise<unknown>): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    running.log.info({ signal }, 'draining');
    running.log.flush();
    running.beginDraining();
    setTimeout(() => process.exit(1), (drainSeconds + stopSeconds) * 1000).unref();
    void pause(drainSeconds * 1000)
      .then(() => running[Symbol.asyncDispose]())
      .then(stopTelemetry)
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  for (const signal of signals) process.on(signal, stop);
}

/**
 * Exits on an error that no code handles. Logged here, because the runtime's own print includes the database row it is about. Only a bug
 * may come here: a broken invariant, a promise that no code awaits. What an outside party answers may not, however broken it is, nor an error
 * of the network, of Postgres or of NATS: each ends in an error of its own where it was asked for. Libraries that trust an answer get one
 * that was checked; `answers.test.ts` of orders, `outsiders.test.ts` of notifications and `answers-of-issuer.test.ts` generate answers.
 */
function exitOnBug(log: Log): void {
  const exit = (message: string) => (error: unknown) => {
    log.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', exit('unhandled rejection'));
  process.on('uncaughtException', exit('uncaught exception'));
}
