/** For a service: database, broker and entry points, and all of `edge.ts`. */

export { createSemaphore, type Semaphore } from './async/semaphore.ts';
export { createSignal, type Signal } from './async/waiting.ts';
export { hasRole, requireScope } from './auth/caller.ts';
export { createSigningKeys, keysProblem } from './auth/signing-keys.ts';
export { readStored, type StoredEvent } from './broker/read-stored.ts';
export { type ColumnOverride, type ColumnsOptions, columns, instantOf, NoColumns } from './database/columns.ts';
export { type Database, openDatabase, type Publisher, type Queries, type Transaction } from './database/database.ts';
export { derivedUuid, uuidv7 } from './database/uuids.ts';
export * from './edge.ts';
export { crashPoint } from './errors/crash-point.ts';
export { isTransient } from './errors/is-transient.ts';
export { customerWasErased } from './errors/unauthenticated.ts';
export { canonicalJson } from './http/bodies.ts';
export { notBuilt, type Operation, type OperationRequest, type OperationsOf } from './http/operation.ts';
export type { Webhook, WebhookRequest, WebhookResponse } from './http/serve.ts';
export { type DeadLetterHandlers, writeDeadLetter } from './inbox/dead-letter.ts';
export { type CustomerData, erasingOf, markErased } from './inbox/erase-customer.ts';
export { type EventHandler, type EventHandlers, type EventTask, on, onAll } from './inbox/event-handler.ts';
export { type Job, type Jobs, job } from './jobs/jobs.ts';
export type { Explained } from './operator/explain.ts';
export type { Explain } from './operator/operator-rpcs.ts';
export { publishRead, type RecordRead } from './operator/record-read.ts';
export { insertEventsSql, type OutboxEntry, outboxEntry, publish, publishAll } from './outbox/outbox.ts';
export { type Call, RpcUnavailable } from './rpc/call.ts';
export { handleRpc, type RpcHandler, type RpcHandlers } from './rpc/handle-rpc.ts';
export { type RunningService, startService } from './service.ts';
export type { Overrides, Platform, ServiceDefinition } from './service-definition.ts';
