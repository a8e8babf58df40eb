import type { OptionalService, ServiceName } from '@corner/contracts';
import type { RunFile } from '@corner/operator';
import type { Tokens } from '../issuer/tokens.ts';
import type { NatsAccess } from '../servers/nats-access.ts';
import type { Host } from './hosted.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Replicas } from './start-parts.ts';
import type { OfRunning, Report } from './topology.ts';

export interface RunningSystem extends AsyncDisposable {
  readonly gatewayUrl: string;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly natsAccess: NatsAccess | null;
  readonly paymentsUrl: string | null;
  readonly messagesUrl: string;
  readonly issuer: string;
  readonly tokens: Tokens;
  readonly services: OfRunning<ServiceProcess>;
  readonly replicas: Replicas;
  readonly payments: ServiceProcess | null;
  readonly messages: ServiceProcess;
  readonly console: ServiceProcess | null;
  readonly shop: ServiceProcess | null;
  readonly postgres: ServerHandle;
  readonly nats: ServerHandle;
  readonly run: RunFile;
  /** The gateway first and the database last. A second call does nothing. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly dataDir: string;
  readonly ports?: 'preferred' | 'any';
  /** The start rejects with PortTaken when it is in use. */
  readonly gatewayPort?: number | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The demo's by default. Null applies none, and the issuer then has no people of the demo. */
  readonly directory?: unknown;
  /** Off in tests, which kill processes on purpose. */
  readonly keepRunning?: boolean;
  readonly report?: Report;
  readonly say?: (line: string) => void;
  readonly natsOperators?: readonly string[];
  readonly natsAccess?: NatsAccess;
  readonly optional?: readonly OptionalService[];
  /** Only these services run; the others are answered for with recorded examples, and are absent from `services`. */
  readonly only?: readonly ServiceName[] | undefined;
  readonly console?: boolean;
  readonly shop?: boolean;
  readonly databaseOfEach?: boolean;
  readonly replicas?: number;
  readonly fromSource?: boolean;
  readonly host?: Host;
  readonly stop?: AbortSignal;
}
