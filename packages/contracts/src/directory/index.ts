export * from './floor-snapshots.ts';
export * from './menu-snapshots.ts';
export * from './people-snapshots.ts';
export * from './pictures.ts';
export * from './programme-snapshot.ts';
export { type Language, languages } from './snapshot-parts.ts';
export * from './store-snapshot.ts';
export * from './templates.ts';
export * from './tokens.ts';
