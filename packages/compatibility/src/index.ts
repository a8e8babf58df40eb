export { unpackRelease } from './artefact.ts';
export * from './breaks.ts';
export * from './released.ts';
export * from './surface.ts';
