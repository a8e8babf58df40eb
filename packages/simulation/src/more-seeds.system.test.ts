import { seedsFrom } from './fixed-seeds.ts';
import { playSeeds } from './testing/play-seeds.ts';
import { firstSellingSeed } from './world/steps.ts';

// In a process of its own: it loads every service, and a history waits until the whole process is at rest.

playSeeds([...seedsFrom(21, 40), ...seedsFrom(firstSellingSeed + 8, firstSellingSeed + 27)]);
