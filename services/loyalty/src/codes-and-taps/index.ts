export type { Tap } from './crypto.ts';
export { useTap } from './tables.ts';
export { verifyTap } from './transactions/verify-tap.ts';
