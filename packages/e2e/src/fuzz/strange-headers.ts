import fc from 'fast-check';

const key = fc.oneof(
  fc.uuid(),
  fc.nat(30).map((nth) => `00000000-0000-4000-8000-0000000000${String(nth).padStart(2, '0')}`),
  fc.constantFrom('k', '"quoted"', 'x'.repeat(255), 'x'.repeat(256), 'with space', 'é', '', '"', '""'),
);
const strangeHeader: fc.Arbitrary<readonly [string, string]> = fc.constantFrom<readonly [string, string]>(
  ['accept', 'application/json'],
  ['accept', 'text/html'],
  ['accept', '*/*;q=0'],
  ['accept', ',;=,'],
  ['accept-encoding', 'br;q=1, gzip, *;q=0'],
  ['x-request-id', 'mine-1'],
  ['x-request-id', 'x'.repeat(2_000)],
  ['x-request-id', '\u00ff{}<>"'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-01'],
  ['traceparent', 'garbage'],
  ['tracestate', `a=${'b'.repeat(600)}`],
  ['baggage', '%%%'],
  ['x-forwarded-for', '1.2.3.4, nonsense'],
  ['x-forwarded-proto', 'gopher'],
  ['forwarded', 'for="[::1]"'],
  ['x-http-method-override', 'DELETE'],
  ['x-staff-token', 'garbage'],
  ['x-staff-token', 'é'],
  ['cookie', 'a=b; __proto__=c'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['if-match', '"x"'],
  ['upgrade', 'h2c'],
  ['connection', 'close'],
  ['te', 'trailers'],
  ['x-huge', 'y'.repeat(6_000)],
);

/** Generates an Idempotency-Key or none, and sometimes up to three headers that the platform does not expect. */
export const strangeHeaders = fc
  .tuple(
    fc.option(key, { freq: 2 }),
    fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(strangeHeader, { maxLength: 3 }) }),
  )
  .map(([given, others]) => [...(given === null ? [] : [['idempotency-key', given] as const]), ...others]);
