import { run } from '@corner/chassis';
import { loyaltyProgram } from './service.ts';

await run(loyaltyProgram);
