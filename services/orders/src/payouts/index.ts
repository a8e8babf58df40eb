export type { PayoutsContext } from './context.ts';
export { lookAtPayouts } from './sagas.ts';
