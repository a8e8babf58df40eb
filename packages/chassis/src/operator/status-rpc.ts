import { readFileSync } from 'node:fs';
import { readStatus, type ServiceName } from '@corner/contracts';
import type { Database } from '../database/database.ts';
import { type HealthOptions, readHealth } from '../http/health.ts';
import type { Consumers } from '../inbox/consumer.ts';
import type { Relay } from '../outbox/relay.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import { type Backlog, readBacklog } from './read-backlog.ts';

export interface StatusOptions {
  /** Folder of the service's migrations, beside which its package is. */
  readonly migrations: string;
  readonly startedAt: Date;
  readonly health: HealthOptions;
  readonly relay: Relay;
  readonly consumers: Consumers;
}

/** What cannot be counted while the database is away. */
const unknown: Backlog = { dead: 0, backlog: 0, age: 0, oldest: null };

/** The RPC that says how a service is. While the database is away it replies all the same, and its checks say so. */
export function statusRpc<Context>(
  service: ServiceName,
  database: Database,
  { migrations, startedAt, health, relay, consumers }: StatusOptions,
): RpcHandler<Context> {
  const version = versionBeside(migrations);
  return handleRpc(readStatus(service), async () => {
    const [state, backlog] = await Promise.all([readHealth(health), readBacklog(database).catch(() => unknown)]);
    return {
      version,
      started_at: startedAt.toISOString(),
      ...state,
      open_dead_letters: backlog.dead,
      relay: {
        leading: relay.state.leading,
        unpublished: backlog.backlog,
        oldest_unpublished_at: backlog.oldest,
        fault: relay.state.fault,
      },
      consumer_faults: [...consumers.state.faults].map(([producer, fault]) => ({ producer, fault })),
    };
  });
}

/** The version in the package of a service, which a release raises; `unknown` where it has no package. */
function versionBeside(migrations: string): string {
  try {
    return (JSON.parse(readFileSync(`${migrations}/../package.json`, 'utf8')) as { readonly version: string }).version;
  } catch {
    return 'unknown';
  }
}
