import { readPhoneNumber, withoutInvisible, withPlainDigits } from '@corner/contracts';

/**
 * A look-up of a customer. `digits`: the last ones of a phone number. `text`: words that begin words of the name; with `whole`, that are
 * words of it. The database cuts `text` as it does names; `words` are for the record.
 */
export type LookUp =
  | { readonly kind: 'card'; readonly customerId: string }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'phone'; readonly digits: string }
  | { readonly kind: 'name'; readonly text: string; readonly words: readonly string[]; readonly whole: boolean };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads typed or scanned text: a customer's id or the text of a pass's QR code, an e-mail address, at least four last digits of a phone
 * number, or words of a name: beginnings, of which one has at least three letters, or whole words, of which one has two. Null for anything
 * else.
 */
export function readLookUp(typed: string): LookUp | null {
  const text = lowerCase(withoutInvisible(withPlainDigits(typed)).trim().normalize('NFC'));
  if (text.startsWith('{') || uuid.test(text)) {
    const customerId = text.startsWith('{') ? customerOfPass(text) : text;
    return customerId === null ? null : { kind: 'card', customerId };
  }
  if (text.includes('@')) return /^[^\s@]+@[^\s@]+$/.test(text) ? { kind: 'email', email: text } : null;
  if (/^[\d\s+()./-]+$/.test(text)) {
    const digits = lastDigits(text);
    return digits.length < 4 ? null : { kind: 'phone', digits };
  }
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  const longest = Math.max(0, ...words.map((word) => [...word.normalize('NFC')].length));
  return longest >= 2 || unspaced.test(text) ? { kind: 'name', text, words, whole: longest < 3 } : null;
}

/** Scripts in which a name of one sign is common, and no spaces are between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** As Postgres does, letter by letter: a final sigma has a form of its own only in a whole word. */
const lowerCase = (text: string): string => [...text].map((letter) => letter.toLowerCase()).join('');

/** Reads the customer's id from the QR code of a voucher's pass: `{"voucher_id":…,"customer_id":…}`. */
function customerOfPass(text: string): string | null {
  try {
    const { customer_id } = JSON.parse(text) as { readonly customer_id?: unknown };
    return typeof customer_id === 'string' && uuid.test(customer_id) ? customer_id : null;
  } catch {
    return null;
  }
}

/** A whole number typed as in its own country, or with 00, begins with zeros that the number with its country's code lacks. */
function lastDigits(text: string): string {
  const digits = (readPhoneNumber(text, null) ?? text).replace(/\D/g, '');
  return digits.length > 6 ? digits.replace(/^0+/, '') : digits;
}

/** Returns the look-up as the record keeps it: enough to recognise the question, too little to identify a customer. */
export function masked(lookUp: LookUp): string {
  switch (lookUp.kind) {
    case 'card':
      return `…${lookUp.customerId.slice(-4)}`;
    case 'email':
      return `${[...lookUp.email][0] ?? ''}…@…`;
    case 'phone':
      return `…${lookUp.digits.slice(-2)}`;
    case 'name':
      return lookUp.words.map((word) => `${[...word][0] ?? ''}…`).join(' ');
    default:
      return lookUp satisfies never;
  }
}

/** Records of look-ups are kept for this many days. */
export const lookUpDays = 90;
