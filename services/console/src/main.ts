import { run } from '@corner/chassis/edge';
import { readConsoleConfig } from './config.ts';
import { startConsole } from './console.ts';

await run('console', readConsoleConfig, () => startConsole(readConsoleConfig()));
