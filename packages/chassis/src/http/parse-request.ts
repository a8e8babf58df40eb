import { type AnyOperation, Problem } from '@corner/contracts';
import type { Request } from 'express';
import type { z } from 'zod';
import { describeFaults, pathOf } from '../errors/describe-error.ts';

/** The three parts of a request, as its contract parsed them. */
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
      if (nul) faults.push(`${name}${pathOf(nul)}: holds a NUL character, which no text may`);
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

/**
 * Returns the path to the first text with a NUL character, or null. A text in Postgres cannot hold one, so it is refused here, where the
 * caller learns of it. The recursion is as deep as the contract allows.
 */
function pathOfNul(value: unknown): readonly PropertyKey[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, entry] of Object.entries(value)) {
    const path = pathOfNul(entry);
    if (path) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}
