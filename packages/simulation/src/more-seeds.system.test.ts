import { seedsFrom } from './fixed-seeds.ts';
import { playSeeds } from './testing/play-seeds.ts';
import { firstBookingSeed, firstClassSeed, firstSellingSeed } from './world/steps.ts';

// In a process of its own: it loads every service, and a history waits until the whole process is at rest.

playSeeds([
  ...seedsFrom(11, 24),
  ...seedsFrom(firstSellingSeed + 5, firstSellingSeed + 18),
  ...seedsFrom(firstBookingSeed + 5, firstBookingSeed + 16),
  ...seedsFrom(firstClassSeed + 4, firstClassSeed + 11),
]);
