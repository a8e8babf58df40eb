import { z } from 'zod';
import type { Deprecated } from './deprecation.ts';
import type { consoleUser } from './rpc.ts';
import { Instant, type Producer, producers } from './vocabulary.ts';

export interface EventContract<Data extends z.ZodType = z.ZodType> {
  /** `noun.past-tense`, for example `order.paid`. */
  readonly type: string;
  readonly producers: readonly Producer[];
  /** Major version. A breaking change is a new version and a new subject. */
  readonly version: number;
  readonly summary: string;
  readonly deprecated?: Deprecated;
  readonly data: Data;
}

export function defineEvent<Data extends z.ZodType>(contract: EventContract<Data>): EventContract<Data> {
  return contract;
}

export type DataOf<E> = E extends EventContract<infer D> ? z.output<D> : never;
export type DataInputOf<E> = E extends EventContract<infer D> ? z.input<D> : never;

/** CloudEvents 1.0, structured mode, with the extension attributes Corner uses. */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.guid().describe('Of this event. A repeat of the event has the same id.'),
  source: z.templateLiteral(['/', z.enum(producers)]).describe('The service that published it.'),
  type: z.string().describe('What happened: `noun.past-tense`.'),
  dataschema: z.string().describe('The path at the gateway of the JSON Schema of `data`. It ends with the version.'),
  subject: z.string().describe('The id of the aggregate that changed.'),
  time: Instant.describe('When the change was made.'),
  datacontenttype: z.literal('application/json'),
  storeid: z.string().optional().describe('The store that it is about.'),
  customerid: z.string().optional().describe('The customer that it is about.'),
  sequence: z
    .int()
    .describe(
      'The version of the aggregate after the change. It only increases. Events of one change share it. Versions may skip: a change that publishes no event still increments it.',
    ),
  correlationid: z.string().optional().describe('The id of the request that began it all.'),
  causationid: z.string().optional().describe('The id of the event or request that caused this event.'),
  traceparent: z.string().optional().describe('The trace of the change, as W3C Trace Context has it.'),
  data: z.unknown().describe('What the event says, by its schema.'),
});
export type Envelope = z.output<typeof Envelope>;

export type EventOf<E> = Omit<Envelope, 'data'> & { readonly data: DataOf<E> };

/** The JetStream stream of a producer's events, or of the console's ended sessions. */
export const streamOf = (owner: Producer | typeof consoleUser): string => owner.toUpperCase();
export const subjectsOf = (owner: Producer | typeof consoleUser): string => `${owner}.>`;
/** Undefined for an event of no single store; see {@link subjectOf}. */
export const scopeOf = (producer: Producer, object: string, store: string | null | undefined): string | undefined =>
  producer === 'directory' ? object : (store ?? undefined);
/**
 * `<producer>.<type>.v<version>.<scope>`. The scope of an event is its store, `all` when it belongs to no single store; that of a snapshot
 * of the directory is its object, so that the stream keeps the newest one of each.
 */
export const subjectOf = (producer: Producer, event: Pick<EventContract, 'type' | 'version'>, scope: string | undefined): string =>
  `${producer}.${event.type}.v${event.version}.${scope ?? 'all'}`;
/** The path at which the gateway serves the JSON Schema of an event's data. */
export const dataSchemaOf = (event: Pick<EventContract, 'type' | 'version'>): string => `/events/${event.type}/v${event.version}`;
