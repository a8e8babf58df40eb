/** RPCs over the broker, for a process without a database: the console imports it with `edge.ts`. A service has `index.ts`. */
export { type BrokerConnection, beginConnecting } from './broker/broker-connection.ts';
export type { NatsBroker } from './broker/nats-broker.ts';
export { type Call, createCall, RpcUnavailable } from './rpc/call.ts';
