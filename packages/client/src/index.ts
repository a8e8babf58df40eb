export { type ClientOptions, type CornerClient, createClient, type Reply, type Token } from './client.ts';
export { CornerError, type CornerErrorCode } from './corner-error.ts';
export { liveOrders, type Order, orderHistory } from './list-orders.ts';
export type { components, ErrorCode, operations, paths } from './openapi.ts';
