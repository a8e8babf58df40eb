export { openTags, TapFailed, tagOfStore } from './open-tags.ts';
export { type TagReading, tapTag } from './tap-tag.ts';
