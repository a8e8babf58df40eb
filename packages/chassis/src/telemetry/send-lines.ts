import { setTimeout as pause } from 'node:timers/promises';
import { type LogRecord, SeverityNumber } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { ExportWatch } from './export-watch.ts';

/** Milliseconds that a stop waits for the collector: less than a process has for its end. */
const stopMs = 5_000;

export interface SentLines {
  /** Takes a line as standard output has it. At most 2,048 wait for the collector; further ones are dropped. */
  take(line: string): void;
  /** Sends the waiting lines. Resolves after five seconds at most, whether the collector took them or not. */
  stop(): Promise<void>;
}

/** Sends lines to an OTLP/HTTP collector at its full address. This module is loaded by a process that has one for its lines, and by no other. */
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

/** A line as `createLog` makes it. */
interface Line {
  readonly time: string;
  readonly level: Lowercase<keyof typeof SeverityNumber>;
  readonly msg?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

/** Returns the record of a finished line, from which secrets are removed. Trace and span are the active ones, as they were for the line. */
function recordOf(line: string): LogRecord {
  const { time, level, msg, trace_id: _trace, span_id: _span, ...attributes } = JSON.parse(line) as Line;
  const name = level.toUpperCase() as keyof typeof SeverityNumber;
  return { timestamp: new Date(time), severityNumber: SeverityNumber[name], severityText: level, body: msg, attributes };
}
