import { setTimeout as pause } from 'node:timers/promises';
import { ConfigFault, type ProcessConfig } from './config.ts';
import type { Log } from './telemetry/log.ts';
import { startMetrics } from './telemetry/metrics.ts';
import { observeProcess } from './telemetry/metrics-of-process.ts';
import { startTelemetry } from './telemetry/telemetry.ts';

/** Something that runs until told to stop. */
export interface Runnable extends AsyncDisposable {
  readonly log: Log;
  beginDraining(): void;
}

/** Seconds a stop may take before the process ends anyway; what was under way is repaired by whoever comes next. */
const stopSeconds = 10;

/**
 * The life of a process: telemetry, start, and on SIGTERM or SIGINT a draining stop. A wrong configuration is printed
 * with all its faults and ends with exit code 78; a start that fails ends with 1.
 */
export async function run(name: string, readConfig: () => ProcessConfig, start: () => Promise<Runnable>): Promise<void> {
  try {
    const config = readConfig();
    const telemetry = startTelemetry({
      service: name,
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
    });
    const metrics = startMetrics({
      service: name,
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      everyMs: config.OTEL_METRIC_EXPORT_INTERVAL,
    });
    observeProcess();
    const running = await start();
    let stopping = false;
    const stop = (signal: string) => {
      if (stopping) return;
      stopping = true;
      running.log.info({ signal }, 'draining');
      running.beginDraining();
      setTimeout(() => process.exit(1), (config.DRAIN_SECONDS + stopSeconds) * 1000).unref();
      void pause(config.DRAIN_SECONDS * 1000)
        .then(() => running[Symbol.asyncDispose]())
        .then(() => Promise.all([telemetry.stop(), metrics.stop()]))
        .then(
          () => process.exit(0),
          () => process.exit(1),
        );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    // What nobody handled is a bug of ours: end loudly rather than go on in an unknown state. The log says it, since what the
    // runtime prints of an error includes the row it is about.
    const end = (what: string) => (error: unknown) => {
      running.log.fatal({ err: error }, what);
      process.exit(1);
    };
    process.on('unhandledRejection', end('unhandled rejection'));
    process.on('uncaughtException', end('uncaught exception'));
  } catch (error) {
    process.stderr.write(
      `${name}: ${error instanceof ConfigFault ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(error instanceof ConfigFault ? 78 : 1);
  }
}
