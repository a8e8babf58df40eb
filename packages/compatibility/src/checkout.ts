import { resolve } from 'node:path';

/** The folder of the checkout. */
export const checkout = resolve(import.meta.dirname, '../../..');
