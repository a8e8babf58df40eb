import { setTimeout as pause } from 'node:timers/promises';
import type { Resource } from '@opentelemetry/resources';
import { asProgram } from './async/per-program.ts';
import type { ProcessConfig } from './config.ts';
import { watchExports } from './telemetry/export-watch.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { alsoTakeLines, gatherLines, ownOutput, writeLinesTo } from './telemetry/log-output.ts';
import { startMetrics } from './telemetry/metrics.ts';
import { observeProcess } from './telemetry/observe-process.ts';
import { resourceOf, versionIn } from './telemetry/resource.ts';
import { startTelemetry } from './telemetry/telemetry.ts';

export interface Runnable extends AsyncDisposable {
  readonly log: Log;
  beginDraining(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A program: a service, the gateway or a server of pages. It runs in a process of its own, or beside others in one. */
export interface Program<Config extends ProcessConfig = ProcessConfig> {
  readonly name: string;
  /** Reads the settings; those of the process by default. Throws one error that names every fault. */
  readConfig(environment?: Environment): Config;
  start(config: Config): Promise<Runnable>;
}

export interface ProgramPlace {
  readonly environment?: Environment;
  /** Folder of its package. */
  readonly folder: string;
}

export interface RunningProgram {
  readonly log: Log;
  /** Seconds it reports "not ready" before it stops. */
  readonly drainSeconds: number;
  /** Drains, stops, and sends the telemetry that waits. */
  stop(why: string): Promise<void>;
}

/** Starts a program with its telemetry, of which each program has its own. */
export async function startProgram<Config extends ProcessConfig>(program: Program<Config>, place: ProgramPlace): Promise<RunningProgram> {
  const { name } = program;
  const config = program.readConfig(place.environment);
  const resource = resourceOf({
    service: name,
    version: versionIn(place.folder),
    environment: config.NODE_ENV,
    attributes: config.OTEL_RESOURCE_ATTRIBUTES,
  });
  const lines = await sendLines(name, config, resource);
  const { processors, readers } = await collectorOf(name, config);
  const telemetry = startTelemetry({ service: name, resource, processors, ratio: config.OTEL_TRACES_SAMPLER_ARG });
  const metrics = startMetrics({ service: name, resource, readers });
  const unobserve = observeProcess();
  const stopTelemetry = () => {
    unobserve();
    return Promise.allSettled([telemetry.stop(), metrics.stop(), lines?.stop()]);
  };
  let running: Runnable;
  try {
    running = await program.start(config);
  } catch (error) {
    void stopTelemetry();
    throw error;
  }
  const { log } = running;
  const { DRAIN_SECONDS: drainSeconds } = config;
  return {
    log,
    drainSeconds,
    async stop(why) {
      log.info({ signal: why }, 'draining');
      log.flush();
      running.beginDraining();
      await pause(drainSeconds * 1000);
      await running[Symbol.asyncDispose]();
      await stopTelemetry();
    },
  };
}

/**
 * Starts a program beside others in this process. It has telemetry, crash points and a log of its own, which `write` gets in whole lines, and touches
 * neither the signals nor the standard streams of the process. What it does not handle is the process's to handle.
 */
export const hostProgram = <Config extends ProcessConfig>(
  program: Program<Config>,
  { write, ...place }: ProgramPlace & { readonly write: (lines: string) => void },
): Promise<RunningProgram> =>
  asProgram({}, async () => {
    const output = gatherLines(write);
    writeLinesTo(output);
    const running = await startProgram(program, place);
    return {
      ...running,
      async stop(why: string) {
        await running.stop(why);
        output.flushSync();
      },
    };
  });

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

/** Has log lines sent to their collector, where there is one. What is said of that collector is on the own output alone, or it would be sent. */
async function sendLines(name: string, { LOG_LEVEL, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint }: ProcessConfig, resource: Resource) {
  if (endpoint === undefined) return null;
  const { sendLinesTo } = await import('./telemetry/send-lines.ts');
  const lines = sendLinesTo(endpoint, resource, watchExports(endpoint, createLog(name, LOG_LEVEL, ownOutput()), 'log lines'));
  alsoTakeLines(lines.take);
  return lines;
}
