import type { BenchSystem } from './bench-system.ts';
import { untilSettled } from './settled.ts';
import { warmUp } from './warm-up.ts';

export async function whileConsumersAreStopped<T>(bench: BenchSystem, work: () => Promise<T>): Promise<T> {
  const { loyalty, notifications, queue } = bench.system.services;
  const consumers = [loyalty, notifications, queue];
  await untilSettled(bench);
  await Promise.all(consumers.map((service) => service.stop()));
  try {
    return await work();
  } finally {
    await Promise.all(consumers.map((service) => service.restart()));
    await untilSettled(bench);
    await warmUp(bench, 1);
  }
}
