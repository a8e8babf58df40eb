import { hash } from 'node:crypto';
import { type Producer, scopeOf } from '@corner/contracts';

/** A part of the events of a service, from 0 on: the scopes whose hash, divided by `of`, leaves `part`. */
export interface Part {
  readonly part: number;
  readonly of: number;
}

export interface HeldPart extends Part {
  readonly lease: string;
}

export const wholeStream: Part = { part: 0, of: 1 };

/** An aggregate has one scope for ever, so its events stay in one part. */
export const takesScope = ({ part, of }: Part, scope: string): boolean =>
  of === 1 || hash('md5', scope, 'buffer').readUInt32BE(4) % of === part;

export const scopeOfSubject = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** Returns the same scope as the event's subject has, from its envelope. */
export const scopeOfEnvelope = (
  producer: Producer,
  { subject, storeid }: { readonly subject: string; readonly storeid?: string | undefined },
) => scopeOf(producer, subject, storeid) ?? 'all';

export const labelOf = (producer: Producer, { part, of }: Part): string => (of === 1 ? producer : `${producer} part ${part + 1} of ${of}`);

export const producerOf = (label: string): Producer => label.split(' ')[0] as Producer;
