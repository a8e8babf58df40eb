import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { matchingCustomersSql } from '../customers/index.ts';
import type { NamedCustomer } from './rules.ts';

const Id = z.object({ id: z.string() });

/** Finds the customers with an id, an e-mail address or a phone number: two at most, since one is wanted. */
export const findCustomersNamed = async (queries: Queries, named: NamedCustomer): Promise<readonly string[]> =>
  named.kind === 'card'
    ? await queries.anyFirst(sql.prepared('customer-of-line-by-id', Id)`select id from customer where id = ${named.customerId}`)
    : await queries.anyFirst(sql.prepared(`customer-of-line-by-${named.kind}`, Id)`${matchingCustomersSql(named)} limit 2`);
