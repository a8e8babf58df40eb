import type { NatsBroker } from './broker/nats-broker.ts';
import type { Database } from './database/database.ts';
import type { PostgresConnection } from './database/postgres-connection.ts';
import type { HealthOptions } from './http/health.ts';
import { type Consumers, startConsumers } from './inbox/consumer.ts';
import { operatorRpcs } from './operator/operator-rpcs.ts';
import { type Relay, startRelay } from './outbox/relay.ts';
import type { Call } from './rpc/call.ts';
import { startRpcServer } from './rpc/server.ts';
import type { ServiceDefinition } from './service-definition.ts';
import type { Log } from './telemetry/log.ts';

export interface Backbone extends AsyncDisposable {
  readonly broker: NatsBroker;
  readonly relay: Relay;
  readonly consumers: Consumers;
}

interface BackboneOptions<Context> {
  readonly broker: NatsBroker;
  readonly postgres: PostgresConnection;
  readonly database: Database;
  readonly context: Context;
  readonly log: Log;
  readonly call: Call;
  readonly health: HealthOptions;
  readonly startedAt: Date;
  readonly shadow: boolean;
  readonly servesRpcs: boolean;
}

/** A shadow's relay: its events stay in the outbox. */
const restingRelay = (): Relay => ({
  wake() {},
  state: { leading: false, published: 0, fault: null, storesNothing: false },
  [Symbol.asyncDispose]: async () => {},
});

/** Starts the relay, the consumers and the RPC server. Disposal stops them in the opposite order. */
export async function startBackbone<Context>(
  {
    name,
    migrations,
    eventHandlers = {},
    deadLetterHandlers = {},
    rpcHandlers = {},
    explain,
    recordRead,
    gatherMs,
  }: ServiceDefinition<Context>,
  { broker, postgres, database, context, log, call, health, startedAt, shadow, servesRpcs }: BackboneOptions<Context>,
): Promise<Backbone> {
  const service = name;
  const parts = new AsyncDisposableStack();
  const relay = parts.use(shadow ? restingRelay() : startRelay({ service, postgres, broker, log }));
  database.onPublish(relay.wake);
  const inbox = { database, eventHandlers, context, log };
  const consumers = parts.use(startConsumers({ ...inbox, service, postgres, broker, call, gatherMs }));
  const status = { migrations, startedAt, health, relay, consumers };
  const forOperator = operatorRpcs(service, broker, { ...inbox, deadLetterHandlers }, status, { explainOwn: explain, recordRead });
  if (servesRpcs)
    parts.use(startRpcServer({ service, broker, rpcHandlers: [...Object.values(rpcHandlers), ...forOperator], context, log }));
  return { broker, relay, consumers, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
