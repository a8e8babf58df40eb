export { MarketingAsk } from './marketing-ask.tsx';
export { readPhone } from './phone.ts';
export { useMe } from './use-me.ts';
