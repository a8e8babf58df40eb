import { createHmac } from 'node:crypto';
import type { ServiceName } from '@corner/contracts';

/**
 * The address with which a service, or the gateway, logs in: a role of its own in the same database. The password is derived from
 * the administrator's, so that two systems on one server agree on it and it is stored nowhere.
 */
export function roleUrl(adminUrl: string, service: ServiceName | 'gateway'): string {
  const url = new URL(adminUrl);
  const role = `corner_${service}`;
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(role).digest('hex').slice(0, 32);
  url.username = role;
  return url.href;
}
