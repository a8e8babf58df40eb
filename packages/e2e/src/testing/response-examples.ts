import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The responses of a real run that openapi.json shows, by operation. `*` holds the refusals that are alike for all operations. */
export interface ResponseExamples {
  [operation: string]: { success?: unknown; problems?: Record<string, unknown> };
}

const file = createRequire(import.meta.url).resolve('@corner/contracts/specs/response-examples.json');

export const readResponseExamples = (): ResponseExamples => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Compares responses with the documented ones. Returns a line for each that is not documented or has another shape: other fields, other
 * types, another message. With UPDATE_EXAMPLES=1 the file gets these responses instead; `npm run specs` then puts them into openapi.json.
 */
export function compareWithExamples(seen: ResponseExamples): string[] {
  const documented = readResponseExamples();
  const stale: string[] = [];
  const compare = (place: string, known: unknown, value: unknown, write: () => void) => {
    if (known !== undefined && shapeOf(withNullsOf(value, known)) === shapeOf(withNullsOf(known, value))) return;
    stale.push(`${place}: documented ${shapeOf(known)}, returned ${shapeOf(value)}`);
    write();
  };
  for (const [name, { success, problems = {} }] of Object.entries(seen)) {
    const entry = documented[name] ?? {};
    documented[name] = entry;
    if (success !== undefined)
      compare(name, entry.success, success, () => {
        entry.success = withoutSecrets(success);
      });
    for (const [code, body] of Object.entries(problems))
      compare(`${name} ${code}`, entry.problems?.[code], body, () => {
        entry.problems = { ...entry.problems, [code]: body };
      });
  }
  if (!process.env.UPDATE_EXAMPLES) return stale;
  const sorted = Object.fromEntries(Object.entries(documented).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
  return [];
}

/**
 * The value with null wherever the other one has null: an example shows what a field holds, which may be nothing at another hour, such as the
 * number of orders that the next slot can still take.
 */
function withNullsOf(other: unknown, value: unknown): unknown {
  if (other === null) return null;
  if (Array.isArray(value) && Array.isArray(other)) return value.map((one) => withNullsOf(other[0], one));
  if (typeof value !== 'object' || value === null || typeof other !== 'object') return value;
  const fields = other as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNullsOf(fields[name], inner)]));
}

/** A text that is equal for values of the same shape. Of a refusal, the code and the message without its ids and numbers are part of it. */
function shapeOf(value: unknown, field = '', parent = ''): string {
  if (Array.isArray(value)) return `[${value.length > 0 ? shapeOf(value[0]) : ''}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => `${name}:${shapeOf(inner, name, field)}`)
      .join()}}`;
  if (parent === 'error' && (field === 'code' || field === 'message'))
    return JSON.stringify(value)?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z0-9]{0,9}\d+/g, '#') ?? '';
  return value === undefined ? 'nothing' : value === null ? 'null' : typeof value;
}

const secrets = new Set(['client_secret', 'ephemeral_key', 'apple_url', 'google_url']);

/** The same value with the end of each secret left out. */
function withoutSecrets(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner) =>
    secrets.has(name) && typeof inner === 'string' ? `${inner.slice(0, 12)}…` : inner,
  );
}
