export { StampCard } from './stamp-card.tsx';
export { useCard } from './use-card.ts';
export { Vouchers } from './vouchers.tsx';
