import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type MetricReader, PeriodicExportingMetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { withoutAbsent } from './metrics.ts';

/** Sends spans to the OTLP/HTTP collector at a base address. This module is loaded by a process that has a collector, and by no other. */
export function sendSpansTo(endpoint: string): SpanProcessor {
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5000 }),
    scheduledDelayMillis: 500,
  });
}

/** Pushes the metrics to the collector at a base address, every so many milliseconds. */
export function pushMetricsTo(endpoint: string, everyMs: number): MetricReader {
  return new PeriodicExportingMetricReader({
    exporter: new Exporter({ url: `${endpoint.replace(/\/$/, '')}/v1/metrics`, timeoutMillis: 5_000 }),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(5_000, everyMs),
  });
}

/** Pushes metrics, without those that could not be read. */
class Exporter extends OTLPMetricExporter {
  override export(collected: ResourceMetrics, done: Parameters<OTLPMetricExporter['export']>[1]): void {
    super.export(withoutAbsent(collected), done);
  }
}
