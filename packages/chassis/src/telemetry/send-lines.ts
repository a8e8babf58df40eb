import { setTimeout as pause } from 'node:timers/promises';
import { type LogRecord, SeverityNumber } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { ExportWatch } from './export-watch.ts';

const stopMs = 5_000;

/**
 * At most 2,048 lines wait for the collector; further ones are dropped. `stop` sends them, and resolves after five seconds at most, even if
 * the collector did not take them: a process has little more for its end.
 */
export interface SentLines {
  take(line: string): void;
  stop(): Promise<void>;
}

/** `endpoint` is the full address. Only a process with a collector for lines loads this module. */
export function sendLinesTo(endpoint: string, resource: Resource, watch: ExportWatch): SentLines {
  const exporter = watched(new OTLPLogExporter({ url: endpoint, timeoutMillis: 5_000 }), watch);
  const provider = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter, scheduledDelayMillis: 500 })] });
  const logger = provider.getLogger('corner');
  return {
    take: (line) => logger.emit(recordOf(line)),
    stop: () => Promise.race([provider.shutdown(), pause(stopMs)]),
  };
}

const watched = (exporter: LogRecordExporter, watch: ExportWatch): LogRecordExporter => ({
  export: (records, done) =>
    exporter.export(records, (result) => {
      watch(result);
      done(result);
    }),
  forceFlush: () => exporter.forceFlush(),
  shutdown: () => exporter.shutdown(),
});

interface Line {
  readonly time: string;
  readonly level: Lowercase<keyof typeof SeverityNumber>;
  readonly msg?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

/** Secrets are already removed from the line. Trace and span are the active ones, as they were for the line. */
function recordOf(line: string): LogRecord {
  const { time, level, msg, trace_id: _trace, span_id: _span, ...attributes } = JSON.parse(line) as Line;
  const name = level.toUpperCase() as keyof typeof SeverityNumber;
  return { timestamp: new Date(time), severityNumber: SeverityNumber[name], severityText: level, body: msg, attributes };
}
