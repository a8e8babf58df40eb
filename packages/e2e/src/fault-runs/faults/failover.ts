import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

export const failover: readonly Fault[] = [
  {
    name: 'failover of postgres',
    about:
      'the leading Postgres is killed and never comes back; up to two seconds later its synchronous standby leads, at the same address',
    on: 'standby',
    async apply({ pair }, random) {
      if (!pair) throw new Error('this platform has no standby');
      await pair.failOver(() => pause(random() * 2_000));
    },
  },
];
