export { accessSeconds, type Claims } from './rules.ts';
