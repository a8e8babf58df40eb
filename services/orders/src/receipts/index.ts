export { creditsOf, sumVat } from './rules.ts';
