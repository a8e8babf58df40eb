import type { AnyOperation, ServiceName } from '@corner/contracts';
import type { JWTVerifyGetKey } from 'jose';
import type { Clock } from './async/clock.ts';
import type { VerifyToken } from './auth/verify-token.ts';
import type { Broker } from './broker/broker.ts';
import type { Database } from './database/database.ts';
import type { WatchStatement } from './database/interceptors.ts';
import type { Turns } from './database/turns.ts';
import type { HealthOptions } from './http/health.ts';
import type { Operations } from './http/operation.ts';
import type { Webhook } from './http/serve.ts';
import type { DeadLetterHandlers } from './inbox/dead-letter.ts';
import type { EventHandlers } from './inbox/event-handler.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Explain } from './operator/operator-rpcs.ts';
import type { RecordRead } from './operator/record-read.ts';
import type { Call } from './rpc/call.ts';
import type { RpcHandlers } from './rpc/handle-rpc.ts';
import type { Log } from './telemetry/log.ts';

/** A service: its entry points, by kind. A kind that a service does not have is left out. */
export interface ServiceDefinition<Context> {
  readonly name: ServiceName;
  readonly contracts: Readonly<Record<string, AnyOperation>>;
  readonly operations: Operations<Context>;
  readonly eventHandlers?: EventHandlers<Context>;
  readonly rpcHandlers?: RpcHandlers<Context>;
  readonly jobs?: Jobs<Context>;
  readonly webhooks?: readonly Webhook<Context>[];
  /** The records in the service's own tables, for the command `explain`. */
  readonly explain?: Explain<Context>;
  /** Records what an operator was shown of a customer; absent: it is published, and the directory records it. */
  readonly recordRead?: RecordRead;
  /** Reports the service's own gauges at every collection. Returns a function that stops it. */
  readonly observe?: (context: Context) => () => void;
  /** Checks of the service's own, without which it is not ready. Each returns null when all is well, else a sentence for the operator. */
  readonly needs?: (context: Context) => HealthOptions['needs'];
  /** Throws the problem that refuses changes at the moment: each operation but a GET, and but those whose contract says `unpublished`. */
  readonly checkChange?: (context: Context) => void;
  /** True when it signs the callers' tokens: it is ready without their keys, which the others fetch from it. */
  readonly signsTokens?: boolean;
  /** How the service retries its own kinds of dead letters, which are not events. */
  readonly deadLetterHandlers?: DeadLetterHandlers<Context>;
  /** The tables of its logs of stores, each with `id` in the order of its rows and `at`. Housekeeping deletes what is older than 400 days. */
  readonly logs?: readonly string[];
  /**
   * The reads that run no operation for a poll whose reply still holds: each table that they read has a trigger that notes changes (decision
   * 41). A reply that another service adds to is none of them.
   */
  readonly polled?: readonly AnyOperation[];
  /**
   * Milliseconds in which events gather after a batch of them, until the next batch is processed: fewer transactions, for a service whose work
   * may be that late. An event that comes alone does not wait, and neither does a full batch. Absent: none waits.
   */
  readonly gatherMs?: number;
  /** Folder of the service's migrations. The service is ready once all are applied. */
  readonly migrations: string;
  readonly context: (platform: Platform) => Context;
}

export interface Platform {
  readonly database: Database;
  /** The connection to the broker; null until it is first reached. */
  readonly broker: () => Broker | null;
  readonly call: Call;
  /** Verifies a token that comes in addition to the caller's own. */
  readonly verifyToken: VerifyToken;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The number of the advisory lock that this process holds while it is alive: `id` of its ProcessLock. */
  readonly processLock: string;
}

/** The parts that a test replaces: clock, ids, broker, signing keys, log, timers, the turns of transactions; and a watch on statements. */
export interface Overrides {
  readonly now?: () => Date;
  /** What it waits by, where it is hosted as a program. */
  readonly clock?: Clock;
  /** The broker instead of the one that the settings name, as the service of this name reaches it. */
  readonly broker?: (service: ServiceName) => Broker;
  readonly newId?: () => string;
  readonly keys?: JWTVerifyGetKey;
  readonly log?: Log;
  readonly watch?: WatchStatement;
  readonly turns?: Turns;
  /** True: no job runs because it is due, no open stream reads again on a timer, and no event waits for others. Signals and events still start both. */
  readonly timersHeld?: boolean;
}
