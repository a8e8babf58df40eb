export { lookAtPayouts } from './sagas.ts';
