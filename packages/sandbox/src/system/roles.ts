import { createHmac } from 'node:crypto';
import type { ServiceName } from '@corner/contracts';

/**
 * The address a service, or the gateway, logs in with: its own role in the same database. The password follows from the administrator's,
 * so that two systems on one server agree on it and it is nowhere written down.
 */
export function roleUrl(adminUrl: string, service: ServiceName | 'gateway'): string {
  const url = new URL(adminUrl);
  const role = `corner_${service}`;
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(role).digest('hex').slice(0, 32);
  url.username = role;
  return url.href;
}
