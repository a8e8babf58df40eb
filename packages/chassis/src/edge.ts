/** What a process without a database and a broker needs: a third of the memory and of the time to start stays unspent. */
export { ConfigFault, type ProcessConfig, processSettings, readConfig } from './config.ts';
export { envelopeOfProblem } from './envelope.ts';
export { addHealth } from './health.ts';
export { type ListeningServer, listenHttp } from './http-server.ts';
export { createLog, type Log } from './log.ts';
export { beginRequest, requestIdOf, usableRequestId } from './request.ts';
export { run } from './run.ts';
export { SpanKind, startTelemetry } from './telemetry.ts';
