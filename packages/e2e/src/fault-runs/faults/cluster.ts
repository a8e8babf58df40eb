import { setTimeout as pause } from 'node:timers/promises';
import { requiredServices } from '@corner/contracts';
import type { ClusterNode, NatsCluster } from '../../testing/nats-cluster.ts';
import type { Fault } from '../fault.ts';
import { anyOf } from '../stage.ts';

const onCluster = (name: string, about: string, apply: (cluster: NatsCluster, random: () => number) => Promise<void>): Fault => ({
  name,
  about,
  on: 'cluster',
  async apply(stage, random) {
    if (!stage.cluster) throw new Error('this platform has no cluster');
    await apply(stage.cluster, random);
  },
});

async function killFor(nodes: readonly ClusterNode[], seconds: number): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()));
  await pause(seconds * 1000);
  await Promise.all(nodes.map((node) => node.restart()));
}

export const cluster: readonly Fault[] = [
  onCluster('cluster, none', 'nothing goes wrong on three NATS servers', () => pause(6_000)),
  onCluster('cluster, kill a node', 'one of three NATS servers is killed with kill -9 and is away for up to four seconds', (all, random) =>
    killFor([anyOf(all.nodes, random)], random() * 4),
  ),
  onCluster(
    'cluster, kill a leader',
    'the NATS server that leads the stream of a service is killed with kill -9 and is away for up to four seconds',
    async (all, random) => killFor([await all.leaderOf(anyOf(requiredServices, random).toUpperCase())], random() * 4),
  ),
  onCluster(
    'cluster, kill two',
    'two of three NATS servers are killed at once, so that none can accept an event, and come back',
    (all, random) => {
      const spared = anyOf(all.nodes, random);
      return killFor(
        all.nodes.filter((node) => node !== spared),
        1 + random() * 3,
      );
    },
  ),
  onCluster('cluster, kill each in turn', 'each of three NATS servers is killed and comes back, one after the other', async ({ nodes }) => {
    for (const node of nodes) await killFor([node], 0.5);
  }),
  onCluster('cluster, pause a leader', 'the NATS server that leads the stream of orders stands still for six seconds', async (all) => {
    const { pid } = await all.leaderOf('ORDERS');
    process.kill(pid, 'SIGSTOP');
    try {
      await pause(6_000);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }),
];
