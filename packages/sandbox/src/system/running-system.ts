import type { OptionalService } from '@corner/contracts';
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
  /** The users of NATS; null for an external NATS, unless the options name them. */
  readonly natsAccess: NatsAccess | null;
  readonly paymentsUrl: string | null;
  readonly messagesUrl: string;
  readonly issuer: string;
  readonly tokens: Tokens;
  readonly services: OfRunning<ServiceProcess>;
  /** All replicas of each, the first one first. A gateway sends to all replicas of a service. */
  readonly replicas: Replicas;
  readonly payments: ServiceProcess | null;
  readonly messages: ServiceProcess;
  readonly console: ServiceProcess | null;
  readonly shop: ServiceProcess | null;
  readonly postgres: ServerHandle;
  readonly nats: ServerHandle;
  readonly run: RunFile;
  /** Ends everything that was started, the gateway first and the database last. A second call does nothing. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly dataDir: string;
  /** `preferred`: 4000 and so on, or others where those are taken. `any`: free ports, for tests. */
  readonly ports?: 'preferred' | 'any';
  /** The gateway's port. The start rejects with PortTaken when it is in use. */
  readonly gatewayPort?: number | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory to apply; the demo's by default. Null applies none, and the issuer then has no people of the demo. */
  readonly directory?: unknown;
  /** Restarts a process that ends on its own. Off in tests, which kill processes on purpose. */
  readonly keepRunning?: boolean;
  readonly report?: Report;
  readonly say?: (line: string) => void;
  /** Operators who get a NATS user, as each service has one, in a NATS that the system starts itself. */
  readonly natsOperators?: readonly string[];
  /** The users of the NATS that NATS_URL names, which has them in its configuration. Each service logs in as its own. */
  readonly natsAccess?: NatsAccess;
  readonly optional?: readonly OptionalService[];
  readonly console?: boolean;
  readonly shop?: boolean;
  /** Gives each service, and the gateway, a database of its own on the server: `corner_orders` and so on. */
  readonly databaseOfEach?: boolean;
  readonly replicas?: number;
  /** Runs the programs from their sources instead of their bundles. */
  readonly fromSource?: boolean;
  /** Runs services, gateway, pages and simulators in this process until one is restarted as a process of its own. */
  readonly host?: Host;
  readonly stop?: AbortSignal;
}
