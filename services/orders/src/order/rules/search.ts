import { normaliseTyped } from '@corner/contracts';

/**
 * A parsed search for orders. `text` is an order number or a collection code. `namePrefix` is null for a text that is too short or has no
 * letter; names match from it up to `nameEnd`, which allows more characters unless the text is too short. `customerId` is null unless the
 * text is an id.
 */
export interface Search {
  readonly text: string;
  readonly namePrefix: string | null;
  readonly nameEnd: string;
  readonly customerId: string | null;
}

/** Shorter texts must match a whole name: as prefixes they would match a good part of all names. */
const leastOfName = 3;

/** Scripts in which names of one character are common. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

export function searchFor(typed: string | undefined): Search | null {
  const text = typed && normaliseTyped(typed);
  if (!text) return null;
  const letters = [...typed.trim().normalize('NFC')].length;
  const isName = /\p{L}/u.test(text) && (letters >= 2 || unspaced.test(text));
  const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
  return {
    text,
    namePrefix: isName ? typed : null,
    nameEnd: letters < leastOfName ? '\u0001' : '\u{10ffff}',
    customerId: isId ? text.toLowerCase() : null,
  };
}
