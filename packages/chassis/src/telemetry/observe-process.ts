import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { observe } from './metrics.ts';

const nanoseconds = 1e9;
/** Longer than the default: a timer each 20 ms would be most of the work of an idle process. */
const sampleMs = 200;

export function observeProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution: sampleMs });
  delay.enable();
  // A sample is the time between two samples.
  const beyondSample = (value: number) => Math.max(0, value / nanoseconds - sampleMs / 1000);
  const stop = observe(
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
      report('nodejs.eventloop.delay.p99', beyondSample(delay.percentile(99)), {});
      report('nodejs.eventloop.delay.max', beyondSample(delay.max), {});
      report('nodejs.eventloop.time', active / 1000, { 'nodejs.eventloop.state': 'active' });
      report('nodejs.eventloop.time', idle / 1000, { 'nodejs.eventloop.state': 'idle' });
      delay.reset();
    },
  );
  return () => {
    stop();
    delay.disable();
  };
}
