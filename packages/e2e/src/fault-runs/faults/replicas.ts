import { requiredServices } from '@corner/contracts';
import type { ServiceProcess } from '@corner/sandbox/system';
import type { Fault } from '../fault.ts';

const rolling = (name: string, about: string, end: (replica: ServiceProcess) => Promise<unknown>): Fault => ({
  name,
  about,
  on: 'replicas',
  async apply({ system }) {
    for (const replica of requiredServices.flatMap((service) => system.replicas[service])) {
      await end(replica);
      await replica.restart();
    }
  },
});

export const drain = (replica: ServiceProcess): Promise<unknown> => replica.stop();

export async function killAtOnce(replica: ServiceProcess): Promise<void> {
  replica.kill();
  await replica.exited;
}

export const replicas: readonly Fault[] = [
  rolling(
    'rolling restart by SIGTERM',
    'with two replicas of each service and two gateways, each replica in turn drains and is started again',
    drain,
  ),
  rolling(
    'rolling restart by kill -9',
    'with two replicas of each service and two gateways, each replica in turn is killed and started again',
    killAtOnce,
  ),
];
