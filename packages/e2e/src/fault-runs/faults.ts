import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { brokerStores } from './faults/broker-stores.ts';
import { clocks } from './faults/clocks.ts';
import { cluster } from './faults/cluster.ts';
import { disk } from './faults/disk.ts';
import { failover } from './faults/failover.ts';
import { kills, pauses, restarts } from './faults/processes.ts';
import { provider } from './faults/provider.ts';
import { replicas } from './faults/replicas.ts';
import { restores } from './faults/restores.ts';
import { stores } from './faults/stores.ts';
import { streams } from './faults/streams.ts';
import { webhooks } from './faults/webhooks.ts';
import { wires } from './faults/wires.ts';

const none: Fault = { name: 'none', about: 'nothing goes wrong', on: 'plain', apply: () => pause(6_000) };

export const faults: readonly Fault[] = [
  none,
  ...kills,
  ...restarts,
  ...pauses,
  ...stores,
  ...brokerStores,
  ...streams,
  ...restores,
  ...disk,
  ...provider,
  ...clocks,
  ...wires,
  ...cluster,
  ...failover,
  ...replicas,
  ...webhooks,
];
