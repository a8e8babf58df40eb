export { people, stores, storyOrder, tags } from './cast.ts';
export { consoleClient, consoleClientId, consolePeople, shopClient, shopClientId } from './console-people.ts';
export { demoDirectory } from './demo-directory.ts';
export { demoPictures } from './demo-pictures.ts';
export { demoBearers, demoTokens } from './demo-tokens.ts';
