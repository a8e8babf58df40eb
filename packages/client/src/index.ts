export type { Call, Follow, OperationName, Reply, RequestOptions } from './call.ts';
export { type ClientOptions, type CornerClient, createClient, newUuid, type Token } from './client.ts';
export { CornerError, type CornerErrorCode, type ErrorCodeOf, isErrorOf, type OperationError } from './corner-error.ts';
export { type CustomerOrder, liveOrders, myOrders, type Order, orderHistory } from './list-orders.ts';
export type { components, ErrorCode, operations, paths } from './openapi.ts';
export { outcomeOf } from './outcome.ts';
export type { Retry } from './send-with-retries.ts';
