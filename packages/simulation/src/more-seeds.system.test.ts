import { seedsFrom } from './fixed-seeds.ts';
import { playSeeds } from './testing/play-seeds.ts';
import { firstBookingSeed, firstSellingSeed } from './world/steps.ts';

// In a process of its own: it loads every service, and a history waits until the whole process is at rest.

playSeeds([
  ...seedsFrom(21, 34),
  ...seedsFrom(firstSellingSeed + 8, firstSellingSeed + 21),
  ...seedsFrom(firstBookingSeed + 6, firstBookingSeed + 17),
]);
