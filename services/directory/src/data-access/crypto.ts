import { createHash } from 'node:crypto';
import type { ChainRow } from './rules.ts';

/** Returns the hash of a row in a chain, in hexadecimal: of the hash before it and of the row, whose members have one order. */
export const hashLink = (before: string, { chain, number, at, by_kind, by_id, customer_id, what, request_id }: ChainRow): string =>
  createHash('sha256')
    .update(before, 'hex')
    .update(JSON.stringify([chain, number, at, by_kind, by_id, customer_id, what, request_id]))
    .digest('hex');
