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
  /** Of a program that ends by itself: resolves to its exit code. */
  readonly ended?: Promise<number> | undefined;
  beginDraining(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A program: a service, the gateway or a server of pages. It runs in a process of its own, or beside others in one. */
export interface Program<Config extends ProcessConfig = ProcessConfig, Started extends Runnable = Runnable> {
  readonly name: string;
  /** Reads the settings; those of the process by default. Throws one error that names every fault. */
  readConfig(environment?: Environment): Config;
  /** Starts it, with the parts that a test replaces. */
  start(config: Config, overrides?: Overrides): Promise<Started>;
}

export interface ProgramPlace {
  readonly environment?: Environment;
  /** Folder of its package. */
  readonly folder: string;
}

export interface RunningProgram<Started extends Runnable = Runnable> {
  readonly started: Started;
  readonly log: Log;
  /** Seconds it reports "not ready" before it stops. */
  readonly drainSeconds: number;
  /** Drains, stops, and sends the telemetry that waits. */
  stop(why: string): Promise<void>;
}

/** Starts a program with its telemetry, of which each program has its own. */
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
  /** Runs `work` as the program itself would: with its log, its telemetry, its clock and its crash point. */
  within<T>(work: () => T): T;
}

export interface HostingPlace extends ProgramPlace {
  readonly write: (lines: string) => void;
  readonly overrides?: Overrides;
}

/**
 * Starts a program beside others in this process. It has telemetry, crash points and a log of its own, which `write` gets in whole lines,
 * and touches neither the signals nor the standard streams of the process. What it does not handle is the process's to handle. It waits by
 * the clock of `overrides`.
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
