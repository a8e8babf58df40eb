/** Zero-width spaces, marks of direction, byte order marks, soft hyphens. Joiners stay: emoji and Persian are written with them. */
const invisible = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

export const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** True for an empty text, and for one with only spaces and invisible characters. */
export const isBlank = (text: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}]*$/u.test(text);

/**
 * Returns a code as it is stored and compared, whatever its case, composition, width of letters, dashes, surrounding spaces and invisible
 * characters.
 */
export const normaliseTyped = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
    .toUpperCase()
    .normalize('NFKC');

/** Converts digits, signs and letters of other widths and scripts to ASCII, each in its place. */
export const withPlainDigits = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\uffe1\uffe5\uffe6]/g, (wide) => ({ '\uffe1': '£', '\uffe5': '¥', '\uffe6': '₩' })[wide] as string)
    .replace(/\p{Nd}/gu, (digit) => (digit.length > 1 || digit < '\u0080' ? digit : String(digitValue(digit))))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', "'")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2007-\u200a\u202f]/g, '\u00a0');

/** Each script has its ten digits in a row, zero first. */
function digitValue(digit: string): number {
  let zero = digit.charCodeAt(0);
  while (/^\p{Nd}$/u.test(String.fromCharCode(zero - 1)) && digit.charCodeAt(0) - zero < 9) zero -= 1;
  return digit.charCodeAt(0) - zero;
}

/**
 * Controls, such as ESC and line breaks, and overrides of direction. Marks of direction and joiners stay: Arabic, Hebrew and Persian need
 * them.
 */
const unfit = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export const isPlainLine = (text: string): boolean => !unfit.test(text);

/** Replaces characters that do not fit a plain line with a space. */
export const asPlainLine = (text: string): string => text.replaceAll(new RegExp(unfit, 'gu'), ' ').replaceAll(/ {2,}/g, ' ').trim();

export const notAPlainLine = 'must be one line, without control characters and without characters that turn the direction of text';
