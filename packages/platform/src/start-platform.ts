import { type RunningSystem, type StartOptions, startSystem } from '@corner/sandbox/system';
import { hostPrograms } from './host-programs.ts';

/**
 * Starts the whole system in this process, with its own Postgres and NATS, and resolves when it is ready. Everything but the place is as in
 * `startSystem`: addresses over real HTTP, settings by `env`, a log file for each part. A part becomes a separate process by `restart({
 * spawned: true })`.
 */
export const startPlatform = (options: StartOptions): Promise<RunningSystem> => startSystem({ ...options, host: hostPrograms() });
