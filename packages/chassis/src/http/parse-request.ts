import { type AnyOperation, Problem } from '@corner/contracts';
import type { Request } from 'express';
import type { z } from 'zod';
import { describeFaults, pathOf } from '../errors/describe-error.ts';

export interface Parsed {
  readonly params: never;
  readonly query: never;
  readonly body: never;
}

/** Throws VALIDATION_FAILED, which names the faulty fields, up to ten. */
export function parseRequest(contract: AnyOperation, request: Request): Parsed {
  const faults: string[] = [];
  const part = (name: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined;
    const result = schema.safeParse(value);
    if (result.success) {
      const fault = unstorableIn(result.data);
      if (fault) faults.push(`${name}${pathOf(fault.path)}: ${fault.holds}`);
      return result.data;
    }
    faults.push(...describeFaults(name, result.error));
    return undefined;
  };
  const parsed = {
    params: part('params', contract.params, request.params),
    query: part('query', contract.query, { ...request.query }),
    body: part('body', contract.body, request.body ?? {}),
  };
  if (faults.length > 0) throw new Problem('VALIDATION_FAILED', { message: faults.slice(0, 10).join('; ') });
  return parsed as Parsed;
}

const holdsNul = 'holds a NUL character, which no text may';
const holdsHalf = 'holds half a character, such as a part of an emoji; send whole characters';

const unstorable = (text: string): string | null => (text.includes('\0') ? holdsNul : text.isWellFormed() ? null : holdsHalf);

/** Throws VALIDATION_FAILED when a text of a request holds a NUL or half a surrogate pair, which Postgres cannot store. */
export function refuseUnstorable(part: 'params' | 'query', texts: readonly (readonly [name: string, text: string])[]): void {
  for (const [name, text] of texts) {
    const holds = unstorable(text);
    if (holds) throw new Problem('VALIDATION_FAILED', { message: `${part}.${name}: ${holds}` });
  }
}

interface Unstorable {
  readonly path: readonly PropertyKey[];
  readonly holds: string;
}

function unstorableIn(value: unknown): Unstorable | null {
  if (typeof value === 'string') {
    const holds = unstorable(value);
    return holds === null ? null : { path: [], holds };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, entry] of Object.entries(value)) {
    const named = unstorable(key);
    if (named !== null) return { path: [], holds: named };
    const inner = unstorableIn(entry);
    if (inner) return { path: [Array.isArray(value) ? Number(key) : key, ...inner.path], holds: inner.holds };
  }
  return null;
}

export function storeOf(parts: { readonly [Part in keyof Parsed]: unknown }): string | undefined {
  for (const part of [parts.params, parts.query, parts.body]) {
    const value = (part as { store_id?: unknown } | undefined)?.store_id;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
