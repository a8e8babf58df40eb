/**
 * How a delivery ended. A `reason` names statuses and codes, never an address or a text.
 * - `delivered`: the provider took the message.
 * - `gone`: the address no longer exists.
 * - `rejected`: the provider will never take this message.
 * - `deferred`: another attempt may succeed, not before `retryAfterSeconds` have passed.
 */
export type DeliveryOutcome =
  | { readonly status: 'delivered' }
  | { readonly status: 'gone'; readonly reason: string }
  | { readonly status: 'rejected'; readonly reason: string }
  | { readonly status: 'deferred'; readonly reason: string; readonly retryAfterSeconds: number };
