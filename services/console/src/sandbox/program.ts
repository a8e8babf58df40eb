import type { Program } from '@corner/chassis/edge';
import { startConsole } from '../console.ts';
import { addSandbox } from './add-sandbox.ts';
import { hasControls, readSandboxConfig, type SandboxConfig } from './config.ts';

export const developmentConsole: Program<SandboxConfig> = {
  name: 'console',
  readConfig: readSandboxConfig,
  start: (config) => startConsole(config, { additions: hasControls(config) ? [(api) => addSandbox(api, config)] : [] }),
};
