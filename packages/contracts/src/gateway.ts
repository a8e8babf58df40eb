import { z } from 'zod';
import { type ServiceName, services } from './vocabulary.ts';

/** Set by the gateway on each request to a service, whatever the caller sent under these names. */
export const ForwardedHeaders = z.object({
  'x-request-id': z.string().describe('The id of the request in logs, refusals and records.'),
  'x-forwarded-for': z.string().describe('The address of the caller.'),
  'x-forwarded-proto': z.enum(['http', 'https']),
  'x-forwarded-host': z.string().optional().describe('The host that the caller named, for links. Absent without a Host header.'),
});
export type ForwardedHeaders = z.output<typeof ForwardedHeaders>;

export interface Route {
  readonly prefix: string;
  readonly service: ServiceName;
  /**
   * A `webhook`'s sender signs its exact bytes and is not rate limited; a `page` is HTML; a `device` has its own protocol, and a secret in
   * its address; `pictures` are larger than other bodies, and pages of any origin show them.
   */
  readonly kind: 'operations' | 'webhook' | 'page' | 'device' | 'pictures';
}

/** A service owns every path under its own name, so a new operation needs no change here. */
export const routes: readonly Route[] = [
  { prefix: '/api/v1/directory/pictures', service: 'directory', kind: 'pictures' },
  ...services.map((service): Route => ({ prefix: `/api/v1/${service}`, service, kind: 'operations' })),
  { prefix: '/api/v1/events', service: 'notifications', kind: 'operations' },
  { prefix: '/webhooks/stripe', service: 'orders', kind: 'webhook' },
  { prefix: '/webhooks/twilio', service: 'notifications', kind: 'webhook' },
  { prefix: '/printers', service: 'orders', kind: 'device' },
  { prefix: '/receipts', service: 'orders', kind: 'page' },
  { prefix: '/unsubscribe', service: 'notifications', kind: 'page' },
];
