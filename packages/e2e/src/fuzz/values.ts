import fc from 'fast-check';
import { type KnownValues, kindOf } from './known-values.ts';
import type { Schema } from './openapi-document.ts';

/** A failure shrinks to `usual`. */
export const mostly = <T>(times: number, usual: fc.Arbitrary<T>, strange: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, { weight: times, arbitrary: usual }, { weight: 1, arbitrary: strange });

const nastyTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  'İıſK',
  '👩‍👩‍👧‍👦'.repeat(20),
  'Z̷̡̛a̶l̵g̸o̷',
  'x'.repeat(5_000),
  "'; drop table orders; --",
  '%00%ff%',
  '../../etc/passwd',
  '\u0024{jndi:ldap://x}',
  '<script>alert(1)</script>',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  'infinity',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '0190A000-0000-7000-8000-000000000001',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '2026-05-01T12:00:00+23:59',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
];
const nastyNumbers = [0, -0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 99, 100, 101];
const deep = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth / 2)}[]${'}]'.repeat(depth / 2)}`);
/** JSON.parse makes a key named `__proto__`, where a literal would set the prototype. */
const polluting = ['__proto__', 'constructor', 'toJSON', 'length'].map((key): unknown => JSON.parse(`{"${key}":{"polluted":true}}`));

export const wild: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...nastyTexts) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, ...nastyNumbers, true, false, [], {}) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(...[90, 200, 600].map(deep), ...polluting) },
);

export class Values {
  readonly #known: KnownValues;
  /** One value in this many is replaced by a wild one, left out or added; null for none. */
  readonly #oneSpoiltIn: number | null;

  constructor(known: KnownValues, oneSpoiltIn: number | null = null) {
    this.#known = known;
    this.#oneSpoiltIn = oneSpoiltIn;
  }

  of(schema: Schema, field = ''): fc.Arbitrary<unknown> {
    const kind = kindOf(field);
    const isScalar = schema.type !== 'object' && schema.type !== 'array' && !schema.anyOf && !schema.oneOf;
    const value =
      kind !== undefined && isScalar
        ? mostly(9, this.#known.arbitrary(kind), this.#inSchema(schema, field))
        : this.#inSchema(schema, field);
    return this.#oneSpoiltIn === null ? value : mostly(this.#oneSpoiltIn, value, wild);
  }

  likeExample(example: unknown, field = ''): fc.Arbitrary<unknown> {
    const kind = kindOf(field);
    if (kind !== undefined && typeof example === 'string') return this.#known.arbitrary(kind);
    if (field === 'idempotency_key' || field === 'refund_attempt_id') return fc.uuid();
    if (Array.isArray(example)) return fc.tuple(...example.map((entry) => this.likeExample(entry, field)));
    if (typeof example !== 'object' || example === null) return fc.constant(example);
    return fc.record(Object.fromEntries(Object.entries(example).map(([name, value]) => [name, this.likeExample(value, name)])));
  }

  #inSchema(schema: Schema, field: string): fc.Arbitrary<unknown> {
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map((choice) => this.of(choice, choice.type === 'null' ? '' : field)));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const { minimum = -1e6, maximum = 1e6 } = schema;
    switch ([schema.type].flat()[0]) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return fc.array(this.of(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 4, 4) });
      case 'string':
        return textOf(schema);
      case 'integer':
        return fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31) });
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true });
      case 'boolean':
        return fc.boolean();
      default:
        return fc.constant(null);
    }
  }

  #object({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.of(schema, name)]));
    const whole = fc.record(fields, { requiredKeys: [...required] });
    if (this.#oneSpoiltIn === null) return whole;
    const added = fc.tuple(whole, fc.dictionary(fc.constantFrom('surprise', 'toString', ' '), wild, { minKeys: 1 }));
    return mostly(
      this.#oneSpoiltIn,
      whole,
      fc.oneof(
        fc.record(fields, { requiredKeys: [] }),
        added.map((parts) => Object.assign({}, ...parts)),
      ),
    );
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const length = { minLength, maxLength: Math.min(maxLength, 300) };
  return mostly(3, fc.string({ ...length, unit: 'grapheme-ascii' }), fc.string({ ...length, unit: 'binary' }));
}
