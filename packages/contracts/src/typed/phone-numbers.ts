import { type CountryCode, getCountries, Metadata, type PhoneNumber as Parsed, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import { Problem } from '../problems.ts';
import { withoutInvisible, withPlainDigits } from './plain.ts';

const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Returns a phone number as E.164, however it was written: `+44 (0)7700 900123`, `0044 7700 900123`, or `07700 900123` with the country
 * that it is dialled in. Null for anything else, for two numbers, and for one with an extension. A text in E.164 is kept even if no number
 * of its country is like it. `country` is an ISO 3166-1 code; null when it is not known, and then only numbers with their country are read.
 */
export function readPhoneNumber(typed: string, country: string | null): string | null {
  const text = withoutInvisible(withPlainDigits(typed)).replace(/\s+/gu, ' ').trim().replace(/^'/, '');
  if (!/^[+\d][\d\s().\-/‐-―]*$/.test(text) && !/^\([\d\s().\-/‐-―]*$/.test(text)) return null;
  const dialled = text.replace(/^00(?=[1-9])/, '+');
  const known = country !== null && getCountries().includes(country as CountryCode) ? (country as CountryCode) : undefined;
  const found = parsePhoneNumberFromString(dialled, { extract: false, ...(known ? { defaultCountry: known } : {}) });
  if (found && !found.ext && (found.isValid() || isWhole(found))) return found.number;
  return e164.test(text) ? text : null;
}

/** True for a number outside all known ranges, such as those of films, with as many digits as a number of its country can have. */
function isWhole({ countryCallingCode, nationalNumber }: Parsed): boolean {
  const plan = new Metadata();
  // Accepts calling codes too, which its types leave out.
  plan.selectNumberingPlan(countryCallingCode as never);
  return nationalNumber.length === Math.max(...(plan.numberingPlan?.possibleLengths() ?? []));
}

/** Returns `+44 7700 900123`; a text that is no phone number stays as it is. */
export const phoneNumberInWords = (number: string): string => parsePhoneNumberFromString(number)?.formatInternational() ?? number;

/** Returns an ISO 3166-1 code; null for a zone of no country or of several, such as UTC. */
export function countryOfZone(timeZone: string): string | null {
  const canonical = canonicalZone(timeZone);
  zoneCountries ??= Map.groupBy(
    getCountries().flatMap((country) => zonesOf(country).map((zone) => ({ zone: canonicalZone(zone), country }))),
    ({ zone }) => zone,
  );
  const countries = zoneCountries.get(canonical) ?? [];
  return countries.length === 1 ? (countries[0]?.country ?? null) : null;
}

let zoneCountries: ReadonlyMap<string, readonly { readonly zone: string; readonly country: string }[]> | undefined;

const zonesOf = (country: string): readonly string[] => {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { getTimeZones?(): readonly string[] | undefined };
  return locale.getTimeZones?.() ?? [];
};

/** Zones are renamed at times, so all names of a zone count as equal. */
const canonicalZone = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
};

export const phoneFault = 'must be a phone number with its country, such as +447700900123';

/**
 * Returns E.164, in the country of the store's time zone if the number names none. Throws VALIDATION_FAILED, which names the field of the
 * request, for a number that does not exist there.
 */
export function phoneAtStore(typed: string, timeZone: string, field: string): string {
  const number = readPhoneNumber(typed, countryOfZone(timeZone));
  if (number === null) throw new Problem('VALIDATION_FAILED', { message: `body.${field}: ${phoneFault}` });
  return number;
}

export const PhoneNumber = z
  .string()
  .overwrite((typed) => readPhoneNumber(typed, null) ?? typed)
  .check(z.e164(phoneFault));

export const dialledAtStore =
  'With its country, such as +447700900123, in any spelling; or as it is dialled in the country of the store’s time zone. Returned as E.164.';

/** E.164 if the number names its country; else the digits as dialled in the store's country, which the handler completes. */
export const TypedPhoneNumber = z
  .string()
  .max(40)
  .overwrite((typed) => readPhoneNumber(typed, null) ?? withPlainDigits(typed).trim())
  .refine((number) => e164.test(number) || /^(?!00)[\d(][\d\s().\-/]{5,}$/.test(number), phoneFault);
