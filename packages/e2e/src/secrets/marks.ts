import { randomBytes, randomInt } from 'node:crypto';

/** Named values that must not appear in logs, spans, metrics or kept rows: planted by the test, or learned from a response. */
export interface Marks {
  plant(name: string): string;
  plantPhone(name: string): string;
  plantHex(name: string, bytes: number): string;
  learn(name: string, value: unknown): void;
  foundIn(text: string, except?: readonly string[]): string[];
  readonly names: readonly string[];
}

export function createMarks(): Marks {
  const marks: { readonly name: string; readonly value: string }[] = [];
  const keep = (name: string, value: string) => {
    marks.push({ name, value });
    return value;
  };
  return {
    plant: (name) => keep(name, `zq${randomBytes(6).toString('hex')}qz`),
    plantPhone: (name) => keep(name, `+4477${randomInt(10_000_000, 99_999_999)}`),
    plantHex: (name, bytes) => keep(name, randomBytes(bytes).toString('hex')),
    learn(name, value) {
      if (typeof value === 'string' && value.length >= 6) keep(name, value);
    },
    foundIn(text, except = []) {
      const lower = text.toLowerCase();
      const found = marks.filter(({ name, value }) => !except.includes(name) && lower.includes(value.toLowerCase()));
      return [...new Set(found.map(({ name }) => name))];
    },
    get names() {
      return marks.map(({ name }) => name);
    },
  };
}
