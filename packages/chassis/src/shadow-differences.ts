/** An event as it was published, without what differs between any two runs: its id, number, time and trace. */
export interface Published {
  readonly type: string;
  readonly subject: string;
  readonly storeid: string | null;
  readonly customerid: string | null;
  readonly data: unknown;
}

/** An id or an instant, which a run draws anew. */
const drawn = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gi;

/**
 * Returns whether two runs published other events about one event. Ids and instants that both runs have must be the same; those that only
 * one has were drawn by it, and stand for themselves.
 */
export function differencesOf(real: readonly Published[], shadow: readonly Published[]): boolean {
  if (real.length !== shadow.length) return true;
  const [ofReal, ofShadow] = [textsOf(real), textsOf(shadow)];
  const tokensOf = (texts: readonly string[]) => new Set(texts.flatMap((text) => text.match(drawn) ?? []));
  const [theirs, own] = [tokensOf(ofReal), tokensOf(ofShadow)];
  const plain = (texts: readonly string[]) =>
    texts.map((text) => text.replaceAll(drawn, (token) => (theirs.has(token) && own.has(token) ? token : 'drawn'))).toSorted();
  return plain(ofReal).join('\n') !== plain(ofShadow).join('\n');
}

const textsOf = (all: readonly Published[]): string[] => all.map((one) => JSON.stringify(sorted(one)));

/** A value whose fields are in one order: Postgres keeps those of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
