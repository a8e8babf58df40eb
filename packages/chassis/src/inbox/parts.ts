import { hash } from 'node:crypto';
import { type Producer, scopeOf } from '@corner/contracts';

/** A part of what a service consumes: the scopes whose hash, divided by `of`, leaves `part`. */
export interface Part {
  /** From 0 on. */
  readonly part: number;
  readonly of: number;
}

/** A part with the token of its lease. */
export interface HeldPart extends Part {
  readonly lease: string;
}

export const wholeStream: Part = { part: 0, of: 1 };

/** Returns whether events of a scope belong to a part. An aggregate has one scope for ever, so its events stay in one part. */
export const takesScope = ({ part, of }: Part, scope: string): boolean =>
  of === 1 || hash('md5', scope, 'buffer').readUInt32BE(4) % of === part;

/** The scope of an event by the subject that it is published under, which ends with it. */
export const scopeOfSubject = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** The scope of an event that was read from its producer, by what its envelope says: the same as that of its subject. */
export const scopeOfEnvelope = (
  producer: Producer,
  { subject, storeid }: { readonly subject: string; readonly storeid?: string | undefined },
) => scopeOf(producer, subject, storeid) ?? 'all';

/** Names a producer's events in a part: `orders`, or `orders part 2 of 4`. */
export const labelOf = (producer: Producer, { part, of }: Part): string => (of === 1 ? producer : `${producer} part ${part + 1} of ${of}`);

/** The producer of a label of {@link labelOf}. */
export const producerOf = (label: string): Producer => label.split(' ')[0] as Producer;
