/** HTTP, settings, logs and telemetry, for the gateway and the console: without database and broker a process takes a third less memory. */
export { after, elapsedMs, pause } from './async/clock.ts';
export { type Authenticate, type AuthenticateOptions, type Caller, createAuthenticate } from './auth/caller.ts';
export { createVerifyToken, type ExpectedToken, type VerifyToken, type VerifyTokenOptions } from './auth/verify-token.ts';
export {
  authSettings,
  ConfigFault,
  databaseUrl,
  migrationSettings,
  type ProcessConfig,
  processSettings,
  readConfig,
  type ServiceConfig,
  serviceSettings,
} from './config.ts';
export { postgresConnection } from './database/postgres-connection.ts';
export { bodyProblem, envelopeOfProblem, parseJson } from './http/bodies.ts';
export { endToEnd, type Headers, setByProxies } from './http/end-to-end-headers.ts';
export { addHealth } from './http/health.ts';
export { type ListeningServer, listenHttp } from './http/http-server.ts';
export { listenForMetrics } from './http/listen-for-metrics.ts';
export { beginRequest, requestIdOf, serverAttributes, usableRequestId, visiblePath } from './http/request.ts';
export { hasBody, readBody, refuseLargeBody } from './http/request-body.ts';
export { noteStream, onResponded } from './http/responded.ts';
export { createStreamLimits, mayFollow, type StreamLimits } from './http/stream-limits.ts';
export { subscriberOf, withoutMapping } from './http/subscriber.ts';
export {
  type BucketLevel,
  createTokenBuckets,
  type Policy,
  rateLimitHeaders,
  secondsToNextToken,
  type TokenBuckets,
} from './http/token-buckets.ts';
export { notInProduction } from './production-guard.ts';
export { run } from './run.ts';
export type { Program } from './start-program.ts';
export { createLog, type Log, withLogFields } from './telemetry/log.ts';
export { nameEntryPoints } from './telemetry/metric-labels.ts';
export { measure, observe } from './telemetry/metrics.ts';
export { runningVersion } from './telemetry/resource.ts';
export { annotateSpan, peerAttributes, searchAttributes } from './telemetry/search-attributes.ts';
export {
  continuing,
  currentTraceparent,
  currentTracer,
  inSpan,
  linkTo,
  SpanKind,
  SpanStatusCode,
  startTelemetry,
} from './telemetry/telemetry.ts';
