import { normaliseTyped } from '@corner/contracts';

/** What a search for orders means. */
export interface Search {
  /** An order number, or a collection code. */
  readonly text: string;
  /** The beginning of a name; null for a text that is too short, or that has no letter. */
  readonly namePrefix: string | null;
  /** What the names that are meant come before, added to their beginning: they may go on after it, unless it is too short. */
  readonly nameEnd: string;
  /** Null for a text that is not an id. */
  readonly customerId: string | null;
}

/** The least characters of the beginning of a name: with fewer, a whole name is meant, since they begin a good part of all names. */
const leastOfName = 3;

/** Letters of scripts in which a name of one sign is common. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Returns what a text that staff typed or scanned means; null without a text. */
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
