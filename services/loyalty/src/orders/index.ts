export { reinstateStampsOf, takeBackStampsOf } from './transactions/take-back-stamps.ts';
