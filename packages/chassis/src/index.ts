export { createSignal, type Signal } from './async/signal.ts';
export { type Caller, createAuthenticate, type Role } from './auth/caller.ts';
export type { ExpectedToken, VerifyToken } from './auth/verify-token.ts';
export {
  ConfigFault,
  migrationSettings,
  type ProcessConfig,
  processSettings,
  readConfig,
  type ServiceConfig,
  serviceSettings,
} from './config.ts';
export { type ColumnOverride, type ColumnsOptions, columns } from './database/columns.ts';
export { type Database, openDatabase, type Queries, type Transaction } from './database/database.ts';
export { derivedUuid } from './database/derived-uuid.ts';
export { instantOf } from './database/instant.ts';
export { uuidv7 } from './database/uuidv7.ts';
export { crashPoint } from './errors/crash-point.ts';
export { isTransient } from './errors/is-transient.ts';
export { canonicalJson } from './http/canonical-json.ts';
export { addHealth } from './http/health.ts';
export { type ListeningServer, listenHttp } from './http/http-server.ts';
export { notBuilt, type Operation, type OperationRequest, type OperationsOf } from './http/operation.ts';
export { envelopeOfProblem } from './http/problem-envelope.ts';
export { beginRequest, requestIdOf, usableRequestId } from './http/request.ts';
export type { Webhook, WebhookRequest, WebhookResponse } from './http/serve.ts';
export { type DeadLetterHandlers, writeDeadLetter } from './inbox/dead-letter.ts';
export { type EventHandler, type EventHandlers, type EventTask, on, onAll } from './inbox/event-handler.ts';
export { type Job, type Jobs, job } from './jobs/jobs.ts';
export type { Explained } from './operator/explain.ts';
export type { Explain } from './operator/operator-rpcs.ts';
export { type OutboxEntry, outboxColumns, outboxEntry, outboxInserted, outboxValues, publish, publishAll } from './outbox/outbox.ts';
export { notInProduction } from './production-guard.ts';
export { type Call, RpcUnavailable } from './rpc/call.ts';
export { handleRpc, type RpcHandler, type RpcHandlers } from './rpc/handle-rpc.ts';
export { run } from './run.ts';
export { type RunningService, startService } from './service.ts';
export type { Overrides, Platform, ServiceDefinition } from './service-definition.ts';
export { createLog, type Log, withLogFields } from './telemetry/log.ts';
export { nameEntryPoints } from './telemetry/metric-labels.ts';
export { measure, observe } from './telemetry/metrics.ts';
export { annotateSpan, peerAttributes, searchAttributes } from './telemetry/search-attributes.ts';
export { continuing, currentTraceparent, inSpan, linkTo, SpanKind, SpanStatusCode, startTelemetry } from './telemetry/telemetry.ts';
