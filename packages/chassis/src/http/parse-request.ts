import { type AnyOperation, Problem } from '@corner/contracts';
import type { Request } from 'express';
import type { z } from 'zod';
import { describeFaults, pathOf } from '../errors/describe-error.ts';

export interface Parsed {
  readonly params: never;
  readonly query: never;
  readonly body: never;
}

/** Parses path parameters, query and body of a request. Throws VALIDATION_FAILED, which names the faulty fields, up to ten. */
export function parseRequest(contract: AnyOperation, request: Request): Parsed {
  const faults: string[] = [];
  const part = (name: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined;
    const result = schema.safeParse(value);
    if (result.success) {
      const nul = pathOfNul(result.data);
      if (nul) faults.push(`${name}${pathOf(nul)}: ${holdsNul}`);
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

/** Throws VALIDATION_FAILED when one of the texts of a request holds a NUL character; each comes with the name of its field. */
export function refuseNul(part: 'params' | 'query', texts: readonly (readonly [name: string, text: string])[]): void {
  const nul = texts.find(([, text]) => text.includes('\0'));
  if (nul) throw new Problem('VALIDATION_FAILED', { message: `${part}.${nul[0]}: ${holdsNul}` });
}

/** Returns the path to the first text with a NUL character, or null: a text in Postgres cannot hold one. */
function pathOfNul(value: unknown): readonly PropertyKey[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, entry] of Object.entries(value)) {
    const path = pathOfNul(entry);
    if (path) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}

/** Returns the store that a request names in its path, query or body, or undefined. */
export function storeOf(parts: { readonly [Part in keyof Parsed]: unknown }): string | undefined {
  for (const part of [parts.params, parts.query, parts.body]) {
    const value = (part as { store_id?: unknown } | undefined)?.store_id;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
