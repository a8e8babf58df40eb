import { run } from '@corner/chassis/edge';
import { startConsole } from './console.ts';
import { addSandbox } from './sandbox/add-sandbox.ts';
import { hasControls, readSandboxConfig } from './sandbox/config.ts';

// The console of npm start and of the trial, with the controls of the simulators. A deployment runs main.ts, which knows none of them.
await run('console', readSandboxConfig, () => {
  const config = readSandboxConfig();
  return startConsole(config, { additions: hasControls(config) ? [(api) => addSandbox(api, config)] : [] });
});
