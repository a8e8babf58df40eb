/** Calls to the services over the broker, for a process that owns no database: beside `edge.ts`. */
export type { Broker } from './broker/broker.ts';
export { type BrokerConnection, beginConnecting } from './broker/broker-connection.ts';
export { type Call, createCall, RpcUnavailable } from './rpc/call.ts';
