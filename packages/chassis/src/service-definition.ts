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
  readonly explain?: Explain<Context>;
  /** Records a read of customer data by an operator; absent: it is published, and the directory records it. */
  readonly recordRead?: RecordRead;
  readonly observe?: (context: Context) => () => void;
  /** The service's own readiness checks. Each returns null when all is well, else a sentence for the operator. */
  readonly needs?: (context: Context) => HealthOptions['needs'];
  /**
   * Throws the problem that currently refuses changes. Called for each operation except a GET and those whose contract says `unpublished`.
   */
  readonly checkChange?: (context: Context) => void;
  /** True for the service that signs the callers' tokens: it is ready without their keys, which the others fetch from it. */
  readonly signsTokens?: boolean;
  readonly deadLetterHandlers?: DeadLetterHandlers<Context>;
  /** The tables of its store logs, each with `at`, and `id` in the order of its rows. Rows are deleted after 400 days. */
  readonly logs?: readonly string[];
  /**
   * The reads that run no operation for a poll whose reply still holds: each table that they read has a trigger that notes changes
   * (decision 41). A reply that another service adds to cannot be listed.
   */
  readonly polled?: readonly AnyOperation[];
  /**
   * Milliseconds in which events gather after a batch, for fewer transactions where the work may be that late. A single event does not
   * wait, and neither does a full batch. Absent: no event waits.
   */
  readonly gatherMs?: number;
  readonly migrations: string;
  readonly context: (platform: Platform) => Context;
}

export interface Platform {
  readonly database: Database;
  /** Null until the broker is first reached. */
  readonly broker: () => Broker | null;
  readonly call: Call;
  readonly verifyToken: VerifyToken;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly processLock: string;
}

/**
 * The parts that a test replaces. `broker` replaces the one that the settings name, as this service reaches it. `timersHeld`: no job runs
 * because it is due, no open stream reads again on a timer, and no event waits for others; signals and events still start both.
 */
export interface Overrides {
  readonly now?: () => Date;
  readonly clock?: Clock;
  readonly broker?: (service: ServiceName) => Broker;
  readonly newId?: () => string;
  readonly keys?: JWTVerifyGetKey;
  readonly log?: Log;
  readonly watch?: WatchStatement;
  readonly turns?: Turns;
  readonly timersHeld?: boolean;
}
