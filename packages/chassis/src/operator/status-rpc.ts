import { readStatus, type ServiceName } from '@corner/contracts';
import { inTime } from '../async/waiting.ts';
import type { Database } from '../database/database.ts';
import { type HealthOptions, readHealth } from '../http/health.ts';
import type { Consumers } from '../inbox/consumer.ts';
import { producerOf } from '../inbox/parts.ts';
import { readCompleteness } from '../inbox/position.ts';
import type { Relay } from '../outbox/relay.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import { versionIn } from '../telemetry/resource.ts';
import { readBacklog } from './read-backlog.ts';

export interface StatusOptions {
  readonly migrations: string;
  readonly startedAt: Date;
  readonly health: HealthOptions;
  readonly relay: Relay;
  readonly consumers: Consumers;
}

/** Replies while the database is away too: with failed checks and null counts. */
export function statusRpc<Context>(
  service: ServiceName,
  database: Database,
  { migrations, startedAt, health, relay, consumers }: StatusOptions,
): RpcHandler<Context> {
  const version = versionIn(`${migrations}/..`);
  return handleRpc(readStatus(service), async () => {
    const [state, backlog, consumed] = await Promise.all([
      readHealth(health),
      inTime(
        readBacklog(database).catch(() => null),
        null,
      ),
      inTime(
        readCompleteness(database).catch(() => []),
        [],
      ),
    ]);
    return {
      version,
      started_at: startedAt.toISOString(),
      ...state,
      open_dead_letters: backlog?.dead ?? null,
      relay: {
        leading: relay.state.leading,
        unpublished: backlog?.backlog ?? null,
        oldest_unpublished_at: backlog?.oldest ?? null,
        fault: relay.state.fault,
      },
      consumer_faults: [...consumers.state.faults].map(([label, fault]) => ({
        producer: producerOf(label),
        fault: `${label.includes(' ') ? `${label}: ` : ''}${fault}`,
      })),
      consumed,
    };
  });
}
