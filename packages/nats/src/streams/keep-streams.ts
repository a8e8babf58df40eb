import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ensureStreams, type StreamsMemory, type StreamsOptions, type StreamsReport } from './ensure-streams.ts';

export interface StreamsLog {
  info(message: string): void;
  error(message: string): void;
}

export interface KeepOptions extends StreamsOptions {
  readonly connection: NatsConnection;
  readonly log: StreamsLog;
  readonly stopped: AbortSignal;
  readonly looked?: (report: StreamsReport) => void;
  /** Milliseconds between two checks without faults: 15,000. */
  readonly everyMs?: number;
  readonly stuckMs?: number;
}

/** Milliseconds until the first, second, … check after one that found a fault. */
const soonMs = [1_000, 2_000, 5_000];

/**
 * Keeps a platform's streams and consumers until stopped: checks now, after each reconnection, every 15 seconds, and sooner after a fault.
 * Logs each fault once. Never rejects.
 */
export async function keepStreams(options: KeepOptions): Promise<void> {
  const { connection, log, stopped, looked = () => {}, everyMs = 15_000, stuckMs } = options;
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  const memory: StreamsMemory = { watches: new Map(), ...(stuckMs === undefined ? {} : { stuckMs }) };
  const reconnected = onReconnection(connection);
  let known: ReadonlySet<string> = new Set();
  for (let faulty = 0; !stopped.aborted && !connection.isClosed(); ) {
    const again = reconnected();
    const report = await ensureStreams(jsm, options, memory);
    if (stopped.aborted) return;
    for (const done of report.done) log.info(done);
    for (const fault of report.faults) if (!known.has(fault)) log.error(fault);
    if (known.size > 0 && report.faults.length === 0) log.info('all streams and consumers are as they should be again');
    known = new Set(report.faults);
    looked(report);
    faulty = report.faults.length > 0 ? faulty + 1 : 0;
    const waitMs = faulty === 0 ? everyMs : Math.min(soonMs[faulty - 1] ?? everyMs, everyMs);
    await pause(waitMs, undefined, { signal: AbortSignal.any([stopped, again]) }).catch(() => {});
  }
}

function onReconnection(connection: NatsConnection): () => AbortSignal {
  let next = new AbortController();
  const watch = async () => {
    for await (const { type } of connection.status()) if (type === 'reconnect') next.abort();
  };
  void watch();
  return () => {
    next = new AbortController();
    return next.signal;
  };
}
