export { openTags, TapFailed, tagOfStore } from './open-tags.ts';
export { type SimulatedChip, simulateChip } from './simulate-chip.ts';
export { type TagReading, tapTag } from './tap-tag.ts';
