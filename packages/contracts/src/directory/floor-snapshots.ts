import { z } from 'zod';
import { InstantInput } from '../vocabulary.ts';
import { ofStore, Span, snapshot } from './snapshot-parts.ts';

export const FloorSnapshot = z.object({
  ...snapshot,
  store_id: ofStore,
  services: z
    .array(
      z.object({
        id: z.guid().toLowerCase().describe('The service, such as a cut.'),
        name: z.string().describe('What customers call it.'),
        minutes: z.int().min(1).max(720).describe('Minutes that it takes.'),
        buffer_minutes: z.int().min(0).max(240).default(0).describe('Minutes that the chair is kept free after it.'),
      }),
    )
    .describe('What is offered.'),
  units: z
    .array(
      z.object({
        id: z.guid().toLowerCase().describe('The chair.'),
        name: z.string().describe('What the store calls it.'),
        service_ids: z.array(z.guid().toLowerCase()).describe('The services that it offers.'),
        shifts: z.array(Span).default([]).describe('When it is staffed.'),
        breaks: z.array(Span).default([]).describe('When it is not, within a shift.'),
      }),
    )
    .describe('The chairs.'),
});

export const BookingSnapshot = z.object({
  ...snapshot,
  id: z.guid().toLowerCase().describe('The booking.'),
  store_id: ofStore,
  unit_id: z.guid().toLowerCase().describe('The chair that it takes.'),
  starts_at: InstantInput.describe('Its start.'),
  ends_at: InstantInput.describe('Its end.'),
  state: z
    .enum(['booked', 'started', 'done', 'cancelled'])
    .default('booked')
    .describe('A booking that is done or cancelled takes no chair.'),
});
