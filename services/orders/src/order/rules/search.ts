/** What a search for orders means. */
export interface Search {
  /** An order number, or a collection code. */
  readonly text: string;
  /** The beginning of a name; null for a text that is too short, or that has no letter. */
  readonly namePrefix: string | null;
  /** Null for a text that is not an id. */
  readonly customerId: string | null;
}

/** The least characters of a name that are looked for: fewer would find a good part of all customers. */
const leastOfName = 3;

/** Returns what a text that staff typed or scanned means; null without a text. */
export function searchFor(typed: string | undefined): Search | null {
  const text = typed?.trim().normalize('NFC');
  if (!text) return null;
  const isName = [...text].length >= leastOfName && /\p{L}/u.test(text);
  const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
  return { text, namePrefix: isName ? text : null, customerId: isId ? text.toLowerCase() : null };
}
