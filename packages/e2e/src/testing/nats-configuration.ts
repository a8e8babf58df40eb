import { readFileSync } from 'node:fs';
import { checkout } from '@corner/sandbox/system';

/** The configuration of NATS that docker-compose.yml uses, with other users; without users when absent. */
export const natsConfiguration = (users = ''): string =>
  readFileSync(`${checkout}/deploy/nats/nats.conf`, 'utf8').replace('include users.conf', users);
