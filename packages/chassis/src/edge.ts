/** What a process without a database and a broker needs: a third of the memory and of the time to start stays unspent. */
export { ConfigFault, type ProcessConfig, processSettings, readConfig } from './config.ts';
export { envelopeOfProblem } from './envelope.ts';
export { addHealth, addMetrics } from './health.ts';
export { type ListeningServer, listenHttp } from './http-server.ts';
export { createLog, type Log } from './log.ts';
export { measure } from './metrics.ts';
export { nameDoors } from './metrics-catalog.ts';
export { beginRequest, requestIdOf, usableRequestId } from './request.ts';
export { run } from './run.ts';
export { SpanKind, startTelemetry } from './telemetry.ts';
