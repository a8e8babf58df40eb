import { z } from 'zod';

const placeholders = ['trace_id', 'from', 'to', 'from_ms', 'to_ms'] as const;

/**
 * The address of a page of a tracing or log system: `https://jaeger.example/trace/{trace_id}`. `{from}` and `{to}` are five minutes before
 * and after the moment (ISO 8601), `{from_ms}` and `{to_ms}` the same in milliseconds.
 */
export const outsideAddress = z
  .string()
  .regex(/^https?:\/\/[^/?#{}\s]+[/?#]/i, 'must be an http:// or https:// address whose host has no placeholder')
  .refine((text) => URL.canParse(text), 'must be an address')
  .refine((text) => text.includes('{trace_id}'), 'must have {trace_id} where the id of the trace belongs')
  .refine(
    (text) => [...text.matchAll(/\{(\w+)\}/g)].every(([, name]) => placeholders.some((known) => known === name)),
    `has no placeholders but ${placeholders.map((name) => `{${name}}`).join(', ')}`,
  );

const aroundMs = 300_000;

/** Returns the address for a trace at a moment (ISO 8601); null without an address or a trace. */
export function outsideLink(address: string | undefined, traceId: string | null, at: string): string | null {
  if (address === undefined || traceId === null) return null;
  const [from, to] = [Date.parse(at) - aroundMs, Date.parse(at) + aroundMs];
  const values = { trace_id: traceId, from: new Date(from).toISOString(), to: new Date(to).toISOString(), from_ms: from, to_ms: to };
  return placeholders.reduce((text, name) => text.replaceAll(`{${name}}`, encodeURIComponent(values[name])), address);
}
