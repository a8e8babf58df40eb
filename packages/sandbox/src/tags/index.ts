export { openTags, TapFailed } from './open-tags.ts';
export { tagOfStore } from './tag-of-store.ts';
export { type TagReading, tapTag } from './tap-tag.ts';
