import { readFileSync } from 'node:fs';
import { checkout } from '@corner/sandbox/system';

export const natsConfiguration = (users = ''): string =>
  readFileSync(`${checkout}/deploy/nats/nats.conf`, 'utf8').replace('include users.conf', users);
