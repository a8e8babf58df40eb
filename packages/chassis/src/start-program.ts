import { setTimeout as pause } from 'node:timers/promises';
import type { Resource } from '@opentelemetry/resources';
import { type Clock, useClock } from './async/clock.ts';
import { asProgram } from './async/per-program.ts';
import type { ProcessConfig } from './config.ts';
import type { Overrides } from './service-definition.ts';
import { watchExports } from './telemetry/export-watch.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { alsoTakeLines, gatherLines, ownOutput, writeLinesTo } from './telemetry/log-output.ts';
import { startMetrics } from './telemetry/metrics.ts';
import { observeProcess } from './telemetry/observe-process.ts';
import { resourceOf, versionIn } from './telemetry/resource.ts';
import { startTelemetry } from './telemetry/telemetry.ts';

export type { Turns } from './database/turns.ts';
export { currentLogFields } from './telemetry/log.ts';
export type { Clock };

export interface Runnable extends AsyncDisposable {
  readonly log: Log;
  /** The exit code of a program that ends on its own. */
  readonly ended?: Promise<number> | undefined;
  beginDraining(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Program<Config extends ProcessConfig = ProcessConfig, Started extends Runnable = Runnable> {
  readonly name: string;
  /** Reads the settings, by default those of the process. Throws one error that names every fault. */
  readConfig(environment?: Environment): Config;
  start(config: Config, overrides?: Overrides): Promise<Started>;
}

export interface ProgramPlace {
  readonly environment?: Environment;
  readonly folder: string;
}

export interface RunningProgram<Started extends Runnable = Runnable> {
  readonly started: Started;
  readonly log: Log;
  readonly drainSeconds: number;
  stop(why: string): Promise<void>;
}

export async function startProgram<Config extends ProcessConfig, Started extends Runnable>(
  program: Program<Config, Started>,
  place: ProgramPlace,
  overrides?: Overrides,
): Promise<RunningProgram<Started>> {
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
  let running: Started;
  try {
    running = await program.start(config, overrides);
  } catch (error) {
    void stopTelemetry();
    throw error;
  }
  const { log } = running;
  const { DRAIN_SECONDS: drainSeconds } = config;
  return {
    started: running,
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

export interface HostedProgram<Started extends Runnable = Runnable> extends RunningProgram<Started> {
  /** Runs `work` with the program's log, telemetry, clock and crash point. */
  within<T>(work: () => T): T;
}

export interface HostingPlace extends ProgramPlace {
  readonly write: (lines: string) => void;
  readonly overrides?: Overrides;
}

/**
 * Starts a program with others in this process. It has telemetry, crash points and a log of its own, which `write` gets in whole lines. It
 * touches neither the signals nor the standard streams of the process, and leaves unhandled errors to it. It waits by the clock of
 * `overrides`.
 */
export function hostProgram<Config extends ProcessConfig, Started extends Runnable>(
  program: Program<Config, Started>,
  { write, overrides, ...place }: HostingPlace,
): Promise<HostedProgram<Started>> {
  const identity = {};
  const within = <T>(work: () => T): T => asProgram(identity, work);
  return within(async () => {
    if (overrides?.clock) useClock(overrides.clock);
    const output = gatherLines(write);
    writeLinesTo(output);
    const running = await startProgram(program, place, overrides);
    return {
      ...running,
      within,
      async stop(why: string) {
        await within(() => running.stop(why));
        output.flushSync();
      },
    };
  });
}

/** Without a collector, the modules of the exporters are not loaded. */
async function collectorOf(
  name: string,
  { LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRIC_EXPORT_INTERVAL: everyMs }: ProcessConfig,
) {
  if (endpoint === undefined) return { processors: [], readers: [] };
  const { sendSpansTo, pushMetricsTo } = await import('./telemetry/collector.ts');
  const watch = watchExports(endpoint, createLog(name, LOG_LEVEL));
  return { processors: [sendSpansTo(endpoint, watch)], readers: [pushMetricsTo(endpoint, everyMs, watch)] };
}

/** Lines about the collector go to the program's own output only, or they would be sent to it. */
async function sendLines(name: string, { LOG_LEVEL, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint }: ProcessConfig, resource: Resource) {
  if (endpoint === undefined) return null;
  const { sendLinesTo } = await import('./telemetry/send-lines.ts');
  const lines = sendLinesTo(endpoint, resource, watchExports(endpoint, createLog(name, LOG_LEVEL, ownOutput()), 'log lines'));
  alsoTakeLines(lines.take);
  return lines;
}
