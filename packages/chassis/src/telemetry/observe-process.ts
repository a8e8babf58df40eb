import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { observe } from './metrics.ts';

const nanoseconds = 1e9;

/** Reports memory, processor time and event-loop delay of this process, for as long as it lives. */
export function observeProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  observe(
    [
      'process.memory.usage',
      'v8js.memory.heap.used',
      'process.cpu.time',
      'process.uptime',
      'nodejs.eventloop.delay.p99',
      'nodejs.eventloop.delay.max',
      'nodejs.eventloop.time',
    ],
    (report) => {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const { active, idle } = performance.eventLoopUtilization();
      report('process.memory.usage', rss, {});
      report('v8js.memory.heap.used', heapUsed, {});
      report('process.cpu.time', (user + system) / 1e6, {});
      report('process.uptime', process.uptime(), {});
      report('nodejs.eventloop.delay.p99', delay.percentile(99) / nanoseconds, {});
      report('nodejs.eventloop.delay.max', delay.max / nanoseconds, {});
      report('nodejs.eventloop.time', active / 1000, { 'nodejs.eventloop.state': 'active' });
      report('nodejs.eventloop.time', idle / 1000, { 'nodejs.eventloop.state': 'idle' });
      delay.reset();
    },
  );
}
