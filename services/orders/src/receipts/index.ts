export { creditsOf, type RatedLine, sumVat } from './rules.ts';
export { VatParts } from './tables.ts';
