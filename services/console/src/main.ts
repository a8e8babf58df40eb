import { run } from '@corner/chassis/edge';
import { readConsoleConfig } from './config.ts';
import { startConsole } from './console.ts';

await run({ name: 'console', readConfig: readConsoleConfig, start: (config) => startConsole(config) });
