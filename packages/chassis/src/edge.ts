/** What a process without a database and a broker needs: a third of the memory and of the time to start stays unspent. */
export { ConfigFault, type ProcessConfig, processSettings, readConfig } from './config.ts';
export { addHealth, addMetrics } from './http/health.ts';
export { type ListeningServer, listenHttp } from './http/http-server.ts';
export { envelopeOfProblem } from './http/problem-envelope.ts';
export { beginRequest, requestIdOf, usableRequestId } from './http/request.ts';
export { run } from './run.ts';
export { createLog, type Log } from './telemetry/log.ts';
export { measure } from './telemetry/metrics.ts';
export { nameEntryPoints } from './telemetry/metrics-catalog.ts';
export { SpanKind, startTelemetry } from './telemetry/telemetry.ts';
