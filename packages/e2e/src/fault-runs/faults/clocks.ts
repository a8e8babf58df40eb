import { type RequiredService, requiredServices } from '@corner/contracts';
import type { Fault } from '../fault.ts';

const program = new URL('moved-clock.ts', import.meta.url).href;
const tenMinutes = 600_000;

const apart = (name: string, about: string, sign: (index: number) => number): Fault => ({
  name,
  about,
  on: 'plain',
  async apply({ system }) {
    const restart = (service: RequiredService, env: Record<string, string> = {}) => system.services[service].restart({ env });
    const moved = (index: number) => ({ NODE_OPTIONS: `--import ${program}`, MOVED_CLOCK_MS: String(sign(index) * tenMinutes) });
    for (const [index, service] of requiredServices.entries()) await restart(service, moved(index));
    for (const service of requiredServices) await restart(service);
  },
});

export const clocks: readonly Fault[] = [
  apart('clocks apart', 'services are restarted with clocks ten minutes ahead and behind in turns, and then with the true time', (index) =>
    index % 2 === 0 ? 1 : -1,
  ),
  apart('clocks apart, reversed', 'the same, with the other services ahead', (index) => (index % 2 === 0 ? -1 : 1)),
];
