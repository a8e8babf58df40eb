import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { observe } from './metrics.ts';

const nanoseconds = 1e9;

/** Watches the process itself, for as long as it lives. */
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
    (say) => {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const { active, idle } = performance.eventLoopUtilization();
      say('process.memory.usage', rss, {});
      say('v8js.memory.heap.used', heapUsed, {});
      say('process.cpu.time', (user + system) / 1e6, {});
      say('process.uptime', process.uptime(), {});
      say('nodejs.eventloop.delay.p99', delay.percentile(99) / nanoseconds, {});
      say('nodejs.eventloop.delay.max', delay.max / nanoseconds, {});
      say('nodejs.eventloop.time', active / 1000, { 'nodejs.eventloop.state': 'active' });
      say('nodejs.eventloop.time', idle / 1000, { 'nodejs.eventloop.state': 'idle' });
      delay.reset();
    },
  );
}
