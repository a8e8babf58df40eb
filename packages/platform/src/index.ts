export { startPlatform } from './start-platform.ts';
