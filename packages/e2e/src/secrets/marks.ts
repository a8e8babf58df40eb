import { randomBytes, randomInt } from 'node:crypto';

/** What somebody might find where it must not be: planted by the test, or learned from an answer. By what it is. */
export interface Marks {
  /** Makes a value that occurs nowhere else. */
  plant(what: string): string;
  /** The same for a phone number. */
  plantPhone(what: string): string;
  /** The same for hexadecimal, of so many bytes. */
  plantHex(what: string, bytes: number): string;
  /** A secret that an answer held. */
  learn(what: string, value: unknown): void;
  /** What of it stands in a text: names, never the values. */
  foundIn(text: string, except?: readonly string[]): string[];
  readonly names: readonly string[];
}

export function createMarks(): Marks {
  const marks: { readonly what: string; readonly value: string }[] = [];
  const keep = (what: string, value: string) => {
    marks.push({ what, value });
    return value;
  };
  return {
    plant: (what) => keep(what, `zq${randomBytes(6).toString('hex')}qz`),
    plantPhone: (what) => keep(what, `+4477${randomInt(10_000_000, 99_999_999)}`),
    plantHex: (what, bytes) => keep(what, randomBytes(bytes).toString('hex')),
    learn(what, value) {
      if (typeof value === 'string' && value.length >= 6) keep(what, value);
    },
    foundIn(text, except = []) {
      const lower = text.toLowerCase();
      const found = marks.filter(({ what, value }) => !except.includes(what) && lower.includes(value.toLowerCase()));
      return [...new Set(found.map(({ what }) => what))];
    },
    get names() {
      return marks.map(({ what }) => what);
    },
  };
}
