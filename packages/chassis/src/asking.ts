/**
 * The part of the chassis for a process that asks the services over the broker and owns no database: that of `edge.ts`, the connection to the
 * broker, and calls.
 */
export { createVerifyToken, type VerifyTokenOptions } from './auth/verify-token.ts';
export type { Broker } from './broker/broker.ts';
export { type BrokerConnection, beginConnecting } from './broker/broker-connection.ts';
export { bodyProblem } from './http/body-problem.ts';
export { endToEnd, type Headers } from './http/end-to-end-headers.ts';
export { addHealth } from './http/health.ts';
export { listenHttp } from './http/http-server.ts';
export { listenForMetrics } from './http/listen-for-metrics.ts';
export { envelopeOfProblem } from './http/problem-envelope.ts';
export { beginRequest, requestIdOf } from './http/request.ts';
export { noteStream } from './http/responded.ts';
export { type Call, createCall, RpcUnavailable } from './rpc/call.ts';
export { createLog, type Log } from './telemetry/log.ts';
export { nameEntryPoints } from './telemetry/metric-labels.ts';
export { measure } from './telemetry/metrics.ts';
export { runningVersion } from './telemetry/resource.ts';
