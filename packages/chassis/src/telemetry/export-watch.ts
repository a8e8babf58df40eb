import type { ExportResult } from '@opentelemetry/core';
import type { Log } from './log.ts';

export type ExportWatch = (result: ExportResult) => void;

/** ExportResultCode.SUCCESS. */
const success = 0;

/** Logs once when the collector fails and once when it recovers. All exporters to one collector share a watch. */
export function watchExports(endpoint: string, log: Log, dropped: 'spans' | 'log lines' = 'spans'): ExportWatch {
  const collector = new URL(endpoint).host;
  let failingSince: number | null = null;
  return ({ code, error }) => {
    if (code === success && failingSince !== null) {
      log.info({ collector, seconds: Math.round((performance.now() - failingSince) / 1000) }, 'the collector takes telemetry again');
      failingSince = null;
    } else if (code !== success && failingSince === null) {
      failingSince = performance.now();
      log.warn({ collector, err: error }, `the collector takes no telemetry: ${dropped} are dropped until it does`);
    }
  };
}
