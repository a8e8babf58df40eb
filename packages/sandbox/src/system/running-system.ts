import type { ServiceName } from '@corner/contracts';
import type { Tokens } from '../issuer/tokens.ts';
import type { Report } from './progress.ts';
import type { RunFile } from './run-file.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';

/** A whole system at work, and the means to hurt it. */
export interface RunningSystem extends AsyncDisposable {
  /** Base address of the gateway; operations are under /api/v1. */
  readonly gatewayUrl: string;
  /** An administrator's address of the database. */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** Base address of the payment simulator; null when payments go to Stripe. */
  readonly paymentsUrl: string | null;
  /** Base address of the far sides of messages. */
  readonly messagesUrl: string;
  /** Base address of the development token issuer. */
  readonly issuer: string;
  /** Signs tokens this system accepts. */
  readonly tokens: Tokens;
  readonly services: Readonly<Record<ServiceName | 'gateway', ServiceProcess>>;
  /** The simulator's process; null when payments go to Stripe. */
  readonly payments: ServiceProcess | null;
  /** The process of the far sides of messages. */
  readonly messages: ServiceProcess;
  readonly postgres: ServerHandle;
  readonly nats: ServerHandle;
  /** What stands in run.json. */
  readonly run: RunFile;
  /** Ends everything that was started, the gateway first and the database last. Repeating it does nothing. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Folder of databases, streams, keys and logs. Made when absent; what is in it goes on. */
  readonly dataDir: string;
  /** `wished`: 4000 and so on, moving where taken. `any`: whatever is free, for tests. */
  readonly ports?: 'wished' | 'any';
  /** Settings: DATABASE_URL, NATS_URL, STRIPE_SECRET_KEY, LOG_LEVEL, OTEL_… The process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory to apply; the demo's by default, none with null. */
  readonly directory?: unknown;
  /** Starts a process again when it dies by itself. Off in tests, which kill them on purpose. */
  readonly keepRunning?: boolean;
  readonly report?: Report;
  /** Hears what happens beside the parts coming up: leftovers ended, a process started again. */
  readonly say?: (line: string) => void;
  /** Gives up the start, and ends what had been started. */
  readonly stop?: AbortSignal;
}
