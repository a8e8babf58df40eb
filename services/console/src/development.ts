import { run } from '@corner/chassis/edge';
import { developmentConsole } from './sandbox/program.ts';

// The console of npm start and of the trial, with the controls of the simulators. A deployment runs main.ts, which has none of them.
await run(developmentConsole);
