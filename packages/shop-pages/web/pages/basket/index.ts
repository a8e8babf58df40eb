export { Place } from './place-order.tsx';
