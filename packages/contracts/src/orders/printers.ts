import { z } from 'zod';
import { languages } from '../directory/snapshot-parts.ts';
import { Instant } from '../vocabulary.ts';

export const PrinterId = z.guid('must be a UUID').toLowerCase().meta({ description: 'The printer.' });

export const printerStatuses = ['online', 'away', 'error'] as const;
export type PrinterStatus = (typeof printerStatuses)[number];

export const Printer = z
  .object({
    id: PrinterId,
    name: z.string(),
    language: z.enum(languages),
    last_seen_at: Instant.nullable().describe('When it last asked for a ticket. Null before the first time.'),
    status: z.enum(printerStatuses).describe('`online`: seen within a minute. `error`: seen, and it cannot print. Otherwise `away`.'),
    detail: z.string().nullable().describe('What the printer needs, as a sentence: paper, for example. Null when it needs nothing.'),
    tickets_waiting: z.int().describe('Tickets that it is to print.'),
    tickets_not_printed: z.int().describe('Tickets of the last day that it will not print: too old by now, or refused by it too often.'),
  })
  .meta({ id: 'Printer', description: 'A kitchen printer of a store.' });
