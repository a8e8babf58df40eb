import { z } from 'zod';
import { defineOperation, manager, orPartner } from '../operation.ts';
import { Day, StoreId } from '../vocabulary.ts';
import { stampEvidence } from './events.ts';

export const readStampEvidence = defineOperation({
  name: 'readStampEvidence',
  service: 'loyalty',
  method: 'GET',
  path: '/api/v1/loyalty/evidence',
  summary: 'Read what proves the stamps of a range of days.',
  description:
    'How many stamps that began to count in the range still count, by what proves that they were earned. Stamps that were brought from another system are no part of it. One who has the store’s events counts the same: each stamp.approved says its evidence, and the last event of a stamp whether it counts.',
  caller: orPartner(manager, 'loyalty:read'),
  query: z
    .object({
      store_id: StoreId.describe('The store; of a programme of several stores, its home.'),
      from: Day.describe('The first day, in the store’s time zone.'),
      to: Day.describe('The last day.'),
    })
    .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= 366 * 86_400_000, {
      path: ['to'],
      error: 'must be a year after from at most',
    }),
  reply: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    stamps: z.int().describe('Stamps that began to count, and still do.'),
    proved: z.int().describe('Those of them that a tap or a payment proves.'),
    evidence: z
      .array(z.object({ evidence: z.enum(stampEvidence), stamps: z.int() }))
      .describe('By evidence, without those of which there is none.'),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: '0190a000-0000-7000-8000-000000000001', from: '2026-11-01', to: '2026-11-30' } },
});
