/** The part of the chassis for a process without a database and a broker. Importing only this saves a third of its memory and start time. */
export { type Authenticate, type AuthenticateOptions, type Caller, createAuthenticate } from './auth/caller.ts';
export { authSettings, ConfigFault, databaseUrl, migrationSettings, type ProcessConfig, processSettings, readConfig } from './config.ts';
export { postgresConnection } from './database/postgres-connection.ts';
export { endToEnd, type Headers } from './http/end-to-end-headers.ts';
export { addHealth } from './http/health.ts';
export { listenHttp } from './http/http-server.ts';
export { listenForMetrics } from './http/listen-for-metrics.ts';
export { envelopeOfProblem } from './http/problem-envelope.ts';
export { beginRequest, requestIdOf, serverAttributes, usableRequestId, visiblePath } from './http/request.ts';
export { noteStream, onResponded } from './http/responded.ts';
export { run } from './run.ts';
export { createLog, type Log } from './telemetry/log.ts';
export { nameEntryPoints } from './telemetry/metric-labels.ts';
export { measure, observe } from './telemetry/metrics.ts';
export { runningVersion } from './telemetry/resource.ts';
export { peerAttributes } from './telemetry/search-attributes.ts';
export { SpanKind, startTelemetry } from './telemetry/telemetry.ts';
