import type { AnyOperation, ServiceName } from '@corner/contracts';
import type { JWTVerifyGetKey } from 'jose';
import type { VerifyToken } from './auth/verify-token.ts';
import type { Database } from './database/database.ts';
import type { WatchStatement } from './database/interceptors.ts';
import type { Operations } from './http/operation.ts';
import type { Webhook } from './http/serve.ts';
import type { DeadLetterHandlers } from './inbox/dead-letter.ts';
import type { EventHandlers } from './inbox/event-handler.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Explain } from './operator/operator-rpcs.ts';
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
  /** What the service's own tables have on record, for the command `explain`. */
  readonly explain?: Explain<Context>;
  /** Reports the service's own gauges at every collection. Returns a function that stops it. */
  readonly observe?: (context: Context) => () => void;
  /** How the service retries its own kinds of dead letters, which are not events. */
  readonly deadLetterHandlers?: DeadLetterHandlers<Context>;
  /** Folder of the service's migrations. The service is ready once all are applied. */
  readonly migrations: string;
  readonly context: (platform: Platform) => Context;
}

/** What the chassis provides for a service's context. */
export interface Platform {
  readonly database: Database;
  readonly call: Call;
  /** Verifies a token that comes in addition to the caller's own. */
  readonly verifyToken: VerifyToken;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The number of the advisory lock that this process holds while it is alive: `id` of its ProcessLock. */
  readonly processLock: string;
}

/** What a test replaces: the clock, the source of ids, the signing keys, the log, what time does by itself; and a watch on statements. */
export interface Overrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly keys?: JWTVerifyGetKey;
  readonly log?: Log;
  /** Called with every SQL statement, to count round trips. */
  readonly watch?: WatchStatement;
  /** True: no job runs because it is due, and no open stream reads again by itself. Signals and events still start both. */
  readonly timersHeld?: boolean;
}
