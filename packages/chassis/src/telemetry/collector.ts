import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type MetricReader, PeriodicExportingMetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { ExportWatch } from './export-watch.ts';
import { withoutAbsent } from './metrics.ts';

/** Only a process with a collector loads this module. `endpoint` is the base address of the collector. */
export function sendSpansTo(endpoint: string, watch: ExportWatch): SpanProcessor {
  return new BatchSpanProcessor({
    exporter: new SpanExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5000 }, watch),
    scheduledDelayMillis: 500,
  });
}

export function pushMetricsTo(endpoint: string, everyMs: number, watch: ExportWatch): MetricReader {
  return new PeriodicExportingMetricReader({
    exporter: new MetricExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/metrics`, timeoutMillis: 5_000 }, watch),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(5_000, everyMs),
  });
}

type ExporterOptions = ConstructorParameters<typeof OTLPTraceExporter>[0];

class SpanExporter extends OTLPTraceExporter {
  readonly #watch: ExportWatch;
  constructor(options: ExporterOptions, watch: ExportWatch) {
    super(options);
    this.#watch = watch;
  }
  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      this.#watch(result);
      done(result);
    });
  }
}

class MetricExporter extends OTLPMetricExporter {
  readonly #watch: ExportWatch;
  constructor(options: ConstructorParameters<typeof OTLPMetricExporter>[0], watch: ExportWatch) {
    super(options);
    this.#watch = watch;
  }
  override export(collected: ResourceMetrics, done: Parameters<OTLPMetricExporter['export']>[1]): void {
    super.export(withoutAbsent(collected), (result) => {
      this.#watch(result);
      done(result);
    });
  }
}
