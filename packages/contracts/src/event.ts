import { z } from 'zod';
import { Instant, type Producer, producers } from './vocabulary.ts';

/** One kind of event: what it is called, who tells it, and what it carries. */
export interface EventContract<Data extends z.ZodType = z.ZodType> {
  /** `noun.past-tense`, for example `order.paid`. */
  readonly type: string;
  /** Who tells it. Most events have one teller. */
  readonly producers: readonly Producer[];
  /** Major version. A breaking change is a new version and a new subject. */
  readonly version: number;
  readonly summary: string;
  readonly data: Data;
}

/** Declares an event. */
export function defineEvent<Data extends z.ZodType>(contract: EventContract<Data>): EventContract<Data> {
  return contract;
}

export type DataOf<E> = E extends EventContract<infer D> ? z.output<D> : never;
export type DataInputOf<E> = E extends EventContract<infer D> ? z.input<D> : never;

/** CloudEvents 1.0, structured mode, with the extension attributes Corner uses. */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.guid(),
  source: z.templateLiteral(['/', z.enum(producers)]),
  type: z.string(),
  dataschema: z.string(),
  subject: z.string().describe('The aggregate the event speaks of.'),
  time: Instant,
  datacontenttype: z.literal('application/json'),
  storeid: z.string().optional(),
  customerid: z.string().optional(),
  sequence: z
    .int()
    .describe(
      'The aggregate’s version after the change: it only grows. Several events of one change share it, and a change that is nobody’s news leaves one out.',
    ),
  correlationid: z.string().optional(),
  causationid: z.string().optional(),
  traceparent: z.string().optional(),
  data: z.unknown(),
});
export type Envelope = z.output<typeof Envelope>;

/** An envelope whose data has been parsed by its contract. */
export type EventOf<E> = Omit<Envelope, 'data'> & { readonly data: DataOf<E> };

/** The JetStream stream that keeps a teller's events. */
export const streamOf = (producer: Producer): string => producer.toUpperCase();
/** Everything a teller tells. */
export const subjectsOf = (producer: Producer): string => `${producer}.>`;
/** `<teller>.<type>.v<version>.<store>`; events of no one store end in `all`. */
export const subjectOf = (producer: Producer, event: Pick<EventContract, 'type' | 'version'>, storeId: string | undefined): string =>
  `${producer}.${event.type}.v${event.version}.${storeId ?? 'all'}`;
/** Where the schema of an event's data is served. */
export const dataSchemaOf = (event: Pick<EventContract, 'type' | 'version'>): string => `/events/${event.type}/v${event.version}`;
