import { setTimeout as pause } from 'node:timers/promises';
import type { Attributes, BatchObservableCallback, Meter, Observable } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  MeterProvider,
  type MetricData,
  MetricReader,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { catalog, type LabelsOf, labels, type MeasuredName, type MetricName, type ObservedName, other } from './metrics-catalog.ts';

export interface MetricsOptions {
  readonly service: string;
  /** Base address of an OTLP/HTTP collector to push to. Without it the figures wait to be read. */
  readonly endpoint?: string | undefined;
  /** Milliseconds between pushes. */
  readonly everyMs?: number;
}

export interface Metrics {
  /** All figures as they are now, in the Prometheus text format. */
  text(): Promise<string>;
  stop(): Promise<void>;
}

interface Instruments {
  readonly meter: Meter;
  readonly measured: Readonly<Record<MeasuredName, (value: number, attributes: Attributes) => void>>;
  readonly observed: Readonly<Record<ObservedName, Observable>>;
}

/** A process has one set of figures, as it has one tracer; before {@link startMetrics} measuring does nothing. */
let running: { readonly instruments: Instruments; readonly metrics: Metrics } | null = null;

/** Starts measuring in this process. Every figure is in the catalogue; nothing is hooked. */
export function startMetrics({ service, endpoint, everyMs = 15_000 }: MetricsOptions): Metrics {
  const onDemand = new OnDemandReader();
  const pushing = endpoint ? [pushTo(endpoint, everyMs)] : [];
  const provider = new MeterProvider({ resource: resourceFromAttributes({ 'service.name': service }), readers: [onDemand, ...pushing] });
  const meter = provider.getMeter('corner');
  const instruments = createInstruments(meter);
  const serializer = new PrometheusSerializer('', false, /^service\.name$/, true, true);
  const metrics: Metrics = {
    text: async () => serializer.serialize(withUnits(withoutAbsent((await onDemand.collect({ timeoutMillis: 2_000 })).resourceMetrics))),
    async stop() {
      if (running?.metrics === metrics) running = null;
      await provider.shutdown().catch(() => {}); // A collector that is away keeps nobody from stopping.
    },
  };
  running = { instruments, metrics };
  return metrics;
}

/** The figures of this process; null before {@link startMetrics}. */
export const currentMetrics = (): Metrics | null => running?.metrics ?? null;

/** Counts, or adds to a distribution. Labels take known values only; the rest is `other`. */
export function measure<N extends MeasuredName>(name: N, value: number, given: LabelsOf<N>): void {
  running?.instruments.measured[name](value, bounded(name, given));
}

/** Says a figure that was read just now. */
export type Say = <N extends ObservedName>(name: N, value: number, given: LabelsOf<N>) => void;

/** Calls `read` whenever somebody collects, to say the named figures. Those of one that fails are left out. Answers how to stop it. */
export function observe(names: readonly ObservedName[], read: (say: Say) => Promise<void> | void): () => void {
  if (!running) return () => {};
  const { meter, observed } = running.instruments;
  const observables = names.map((name) => observed[name]);
  const said = new Map<string, { readonly name: ObservedName; readonly attributes: Attributes }>();
  const callback: BatchObservableCallback = async (result) => {
    try {
      const reading = read((name, value, given) => {
        const attributes = bounded(name, given);
        said.set(JSON.stringify([name, attributes]), { name, attributes });
        result.observe(observed[name], value, attributes);
      });
      await Promise.race([Promise.resolve(reading), afterwards(readMs)]);
    } catch {
      // The SDK would go on telling the last value. An absent figure says that it could not be read, and the log says why.
      for (const { name, attributes } of said.values()) result.observe(observed[name], Number.NaN, attributes);
    }
  };
  meter.addBatchObservableCallback(callback, observables);
  return () => meter.removeBatchObservableCallback(callback, observables);
}

/** Milliseconds a reading may take: somebody waits for all of them. */
const readMs = 1_500;

async function afterwards(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error('not read in time');
}

function bounded<N extends MetricName>(name: N, given: LabelsOf<N>): Attributes {
  const attributes: Attributes = {};
  for (const label of catalog[name].labels) {
    const value = String((given as Readonly<Record<string, string | number>>)[label]);
    attributes[label] = (labels[label] as ReadonlySet<string>).has(value) ? value : other;
  }
  return attributes;
}

function createInstruments(meter: Meter): Instruments {
  const measured: Record<string, (value: number, attributes: Attributes) => void> = {};
  const observed: Record<string, Observable> = {};
  for (const [name, metric] of Object.entries(catalog)) {
    const options = { description: metric.about, unit: metric.unit };
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

/** A reader that is asked rather than one that asks. */
class OnDemandReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

/** Pushes what is there. */
class Exporter extends OTLPMetricExporter {
  override export(collected: ResourceMetrics, done: Parameters<OTLPMetricExporter['export']>[1]): void {
    super.export(withoutAbsent(collected), done);
  }
}

const pushTo = (endpoint: string, everyMs: number): MetricReader =>
  new PeriodicExportingMetricReader({
    exporter: new Exporter({ url: `${endpoint.replace(/\/$/, '')}/v1/metrics`, timeoutMillis: 5_000 }),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(5_000, everyMs),
  });

const changed = (collected: ResourceMetrics, change: (metric: MetricData) => MetricData): ResourceMetrics => ({
  ...collected,
  scopeMetrics: collected.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(change) })),
});

const withoutAbsent = (collected: ResourceMetrics): ResourceMetrics =>
  changed(collected, (metric) => ({ ...metric, dataPoints: metric.dataPoints.filter(({ value }) => !Number.isNaN(value)) }) as MetricData);

const suffixes: Readonly<Record<string, string>> = { s: '.seconds', By: '.bytes' };

/** The same names that Prometheus gives what it takes over OTLP: with the unit, which the serialiser leaves out. */
const withUnits = (collected: ResourceMetrics): ResourceMetrics =>
  changed(collected, (metric) => ({
    ...metric,
    descriptor: { ...metric.descriptor, name: `${metric.descriptor.name}${suffixes[metric.descriptor.unit] ?? ''}` },
  }));
