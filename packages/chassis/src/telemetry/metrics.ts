import { setTimeout as pause } from 'node:timers/promises';
import type { Attributes, BatchObservableCallback, Meter, Observable } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, type MetricData, MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { perProgram } from '../async/per-program.ts';
import { labels, other } from './metric-labels.ts';
import { catalog, type LabelsOf, type MeasuredName, type MetricName, type ObservedName } from './metrics-catalog.ts';
import { resourceOf } from './resource.ts';

export interface MetricsOptions {
  readonly service: string;
  readonly resource?: Resource;
  /** They push the metrics to a collector. Without any, metrics are served only when they are read. */
  readonly readers?: readonly MetricReader[];
}

export interface Metrics {
  text(): Promise<string>;
  stop(): Promise<void>;
}

interface Instruments {
  readonly meter: Meter;
  readonly measured: Readonly<Record<MeasuredName, (value: number, attributes: Attributes) => void>>;
  readonly observed: Readonly<Record<ObservedName, Observable>>;
}

const measuring = perProgram((): { running: { readonly instruments: Instruments; readonly metrics: Metrics } | null } => ({
  running: null,
}));

/**
 * Starts measuring in this program; before, measuring does nothing. Every metric is in the catalogue; no module is instrumented
 * automatically.
 */
export function startMetrics({ service, resource = resourceOf({ service }), readers = [] }: MetricsOptions): Metrics {
  const onDemand = new OnDemandReader();
  const provider = new MeterProvider({ resource, readers: [onDemand, ...readers] });
  const meter = provider.getMeter('corner');
  const instruments = createInstruments(meter);
  const serializer = new PrometheusSerializer('', false, /^service\.name$/, true, true);
  const own = measuring();
  const metrics: Metrics = {
    text: async () => serializer.serialize(withUnits(withoutAbsent((await onDemand.collect({ timeoutMillis: 2_000 })).resourceMetrics))),
    async stop() {
      if (own.running?.metrics === metrics) own.running = null;
      await provider.shutdown().catch(() => {}); // A collector that is away does not delay the stop.
    },
  };
  own.running = { instruments, metrics };
  return metrics;
}

export const currentMetrics = (): Metrics | null => measuring().running?.metrics ?? null;

/** Adds to a counter, or records a value in a histogram. A label value that is not in the catalogue is recorded as `other`. */
export function measure<N extends MeasuredName>(name: N, value: number, labelValues: LabelsOf<N>): void {
  measuring().running?.instruments.measured[name](value, bounded(name, labelValues));
}

export type Report = <N extends ObservedName>(name: N, value: number, labelValues: LabelsOf<N>) => void;

/** Calls `read` at every collection; a failure leaves its metrics out of that one. Returns a function that stops it. */
export function observe(names: readonly ObservedName[], read: (report: Report) => Promise<void> | void): () => void {
  const { running } = measuring();
  if (!running) return () => {};
  const { meter, observed } = running.instruments;
  const observables = names.map((name) => observed[name]);
  const reported = new Map<string, { readonly name: ObservedName; readonly attributes: Attributes }>();
  const callback: BatchObservableCallback = async (result) => {
    try {
      const reading = read((name, value, labelValues) => {
        const attributes = bounded(name, labelValues);
        reported.set(JSON.stringify([name, attributes]), { name, attributes });
        result.observe(observed[name], value, attributes);
      });
      await Promise.race([Promise.resolve(reading), timeoutAfter(readMs)]);
    } catch {
      // The SDK would continue to report the last value; an absent metric shows that it could not be read.
      for (const { name, attributes } of reported.values()) result.observe(observed[name], Number.NaN, attributes);
    }
  };
  meter.addBatchObservableCallback(callback, observables);
  return () => meter.removeBatchObservableCallback(callback, observables);
}

const readMs = 1_500;

async function timeoutAfter(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error('not read in time');
}

function bounded<N extends MetricName>(name: N, labelValues: LabelsOf<N>): Attributes {
  const attributes: Attributes = {};
  for (const label of catalog[name].labels) {
    const value = String((labelValues as Readonly<Record<string, string | number>>)[label]);
    attributes[label] = (labels[label] as ReadonlySet<string>).has(value) ? value : other;
  }
  return attributes;
}

function createInstruments(meter: Meter): Instruments {
  const measured: Record<string, (value: number, attributes: Attributes) => void> = {};
  const observed: Record<string, Observable> = {};
  for (const [name, metric] of Object.entries(catalog)) {
    const options = { description: metric.description, unit: metric.unit };
    if (metric.kind === 'counter') {
      const counter = meter.createCounter(name, options);
      measured[name] = (value, attributes) => counter.add(value, attributes);
    } else if (metric.kind === 'histogram') {
      const histogram = meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: [...metric.buckets] } });
      measured[name] = (value, attributes) => histogram.record(value, attributes);
    } else if (metric.kind === 'gauge') observed[name] = meter.createObservableGauge(name, options);
    else if (metric.kind === 'level') observed[name] = meter.createObservableUpDownCounter(name, options);
    else observed[name] = meter.createObservableCounter(name, options);
  }
  return { meter, measured, observed } as Instruments;
}

class OnDemandReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

const changed = (collected: ResourceMetrics, change: (metric: MetricData) => MetricData): ResourceMetrics => ({
  ...collected,
  scopeMetrics: collected.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(change) })),
});

export const withoutAbsent = (collected: ResourceMetrics): ResourceMetrics =>
  changed(collected, (metric) => ({ ...metric, dataPoints: metric.dataPoints.filter(({ value }) => !Number.isNaN(value)) }) as MetricData);

const suffixes: Readonly<Record<string, string>> = { s: '.seconds', By: '.bytes' };

/** Adds the unit to the names, as Prometheus does over OTLP and the serialiser does not. */
const withUnits = (collected: ResourceMetrics): ResourceMetrics =>
  changed(collected, (metric) => ({
    ...metric,
    descriptor: { ...metric.descriptor, name: `${metric.descriptor.name}${suffixes[metric.descriptor.unit] ?? ''}` },
  }));
