import { z } from 'zod';
import { defineRpc } from './rpc.ts';
import { CustomerId, Instant, type RequiredService, requiredServices, type ServiceName, services } from './vocabulary.ts';

/** The services with data of customers, besides the directory. Each must report that it has erased a customer. */
export const erasingServices: readonly RequiredService[] = requiredServices;

/** A sentence names no person. */
export const ErasureStep = z.object({
  at: Instant.describe('When it was done.'),
  what: z.string().describe('What was done, as a sentence.'),
});
export type ErasureStep = z.output<typeof ErasureStep>;

export const KeptData = z.object({
  what: z.string().describe('What is kept.'),
  why: z.string().describe('The reason, and the law where there is one.'),
  how_long: z.string().describe('For how long.'),
});
export type KeptData = z.output<typeof KeptData>;

export const keptForAWhile: readonly KeptData[] = [
  {
    what: 'Responses to repeated requests, also those of staff.',
    why: 'A request that is sent twice has to be answered once.',
    how_long: 'A day.',
  },
  {
    what: 'Events with numbers, and the numbers of requests that were refused.',
    why: 'Events are on their way to the other services; a refusal explains itself to who asks about it.',
    how_long: 'Seven days; an event that a service could not process, until an operator has dealt with it.',
  },
];

const ofService = z.object({
  service: z.enum(services).describe('The service.'),
  state: z
    .enum(['waiting', 'running', 'done'])
    .describe('Whether it has not answered yet, has something left to do, such as an order under way, or has done everything.'),
  steps: z.array(ErasureStep).describe('What it did, oldest first.'),
  kept: z.array(KeptData).describe('What it keeps.'),
});

/** Nothing in a certificate names the person. */
export const ErasureCertificate = z
  .object({
    state: z
      .enum(['requested', 'running', 'done'])
      .describe('Whether a store has asked for it and an operator has not begun it, it is under way, or everything is erased.'),
    requested_at: Instant.describe('When it was asked for.'),
    requested_by: z
      .enum(['customer', 'merchant', 'operator', 'retention'])
      .describe('Who asked for it; `retention` when the customer had not visited for as long as the operator keeps data.'),
    begun_at: Instant.nullable().describe('When it was begun. Null before.'),
    finished_at: Instant.nullable().describe('When the last service had done everything. Null before.'),
    services: z.array(ofService).describe('What each service did. Empty before it is begun.'),
  })
  .meta({ id: 'ErasureCertificate' });
export type ErasureCertificate = z.output<typeof ErasureCertificate>;

/** Every service but the directory has customers to erase. */
export const readErasureAt = (service: ServiceName) =>
  defineRpc({
    name: `${service}.erasure`,
    service,
    summary: 'Returns what this service has done to erase a customer.',
    input: z.object({ customer_id: CustomerId }),
    output: z.object({
      /** Null while customer.erased has not been processed. */
      erasure: z
        .object({
          sequence: z.int(),
          /** Null while something is left to do. */
          finished_at: Instant.nullable(),
          steps: z.array(ErasureStep),
          kept: z.array(KeptData),
        })
        .nullable(),
    }),
    problems: [],
    deadlineMs: 5_000,
  });

export const exportedRows = 100;

export const ExportPosition = z.object({ section: z.int().min(0), after: z.string() });

/** Returns a page of rows of one section. Every service but the directory serves it. */
export const exportCustomerOf = (service: ServiceName) =>
  defineRpc({
    name: `${service}.customer-export`,
    service,
    summary: 'Returns a page of everything that this service holds of a customer.',
    input: z.object({ customer_id: CustomerId, from: ExportPosition }),
    output: z.object({
      section: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())),
      next: ExportPosition.nullable(),
    }),
    problems: [],
    deadlineMs: 5_000,
  });
