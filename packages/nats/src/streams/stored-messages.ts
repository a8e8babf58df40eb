import type { JetStreamManager, MsgRequest, StoredMsg } from '@nats-io/jetstream';
import { isNoMessage } from './refusals.ts';

export interface StoredRange {
  readonly from: number;
  readonly to?: number;
  readonly subject?: string;
}

/** Reads a stream's messages in order, one request each: needs no consumer, and so no permission to create one. */
export async function* storedMessages(
  jsm: JetStreamManager,
  stream: string,
  { from, to = Number.POSITIVE_INFINITY, subject = '>' }: StoredRange,
): AsyncGenerator<StoredMsg> {
  for (let sequence = from; sequence <= to; ) {
    const message = await nextMessage(jsm, stream, sequence, subject);
    if (!message || message.seq > to) return;
    yield message;
    sequence = message.seq + 1;
  }
}

export async function sequenceSince(jsm: JetStreamManager, stream: string, instant: Date): Promise<number> {
  const { first_seq, last_seq } = (await jsm.streams.info(stream)).state;
  let [from, to] = [Math.max(first_seq, 1), last_seq + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const message = await nextMessage(jsm, stream, middle, '>');
    if (message && message.time < instant) from = message.seq + 1;
    else to = middle;
  }
  return from;
}

const readers = 16;

/** Reads a range of a stream in order, by 16 concurrent requests. A range should be a few hundred long: it is held in memory. */
export async function readRange(jsm: JetStreamManager, stream: string, from: number, to: number): Promise<StoredMsg[]> {
  const parts = partsOf(from, to, readers).map((part) => collect(storedMessages(jsm, stream, part)));
  return (await Promise.all(parts)).flat();
}

async function collect(messages: AsyncIterable<StoredMsg>): Promise<StoredMsg[]> {
  const all: StoredMsg[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

export function partsOf(from: number, to: number, parts: number): { readonly from: number; readonly to: number }[] {
  const width = Math.max(Math.ceil((to - from + 1) / parts), 1);
  return Array.from({ length: parts }, (_, index) => ({
    from: from + index * width,
    to: Math.min(from + (index + 1) * width - 1, to),
  })).filter((part) => part.from <= part.to);
}

async function nextMessage(jsm: JetStreamManager, stream: string, seq: number, subject: string): Promise<StoredMsg | null> {
  try {
    return await jsm.streams.getMessage(stream, { seq, next_by_subj: subject } as MsgRequest);
  } catch (error) {
    if (isNoMessage(error)) return null;
    throw error;
  }
}
