export { type ClientOptions, type CornerClient, createClient, type Reply, type Token } from './client.ts';
export { CornerError, type CornerErrorCode } from './corner-error.ts';
export type { components, ErrorCode, operations, paths } from './openapi.ts';
export { type Order, orderHistory } from './order-history.ts';
