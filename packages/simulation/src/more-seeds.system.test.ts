import { seedsFrom } from './fixed-seeds.ts';
import { playSeeds } from './testing/play-seeds.ts';

// In a process of its own: it loads every service, and a history waits until the whole process is at rest.

playSeeds(seedsFrom(21, 60));
