import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CornerError } from '@corner/client';
import { commonProblems, operations, type ProblemCode, replayProblems, versionProblems } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { hrefOf, placeOf } from '../web/errors/codes.ts';
import { explain } from '../web/errors/explain.ts';
import { loadTexts } from '../web/texts/texts.ts';

/** Refusals that no request of these pages causes, or that concern operators: the customer is shown a number to quote. */
const withNumber: readonly ProblemCode[] = [
  ...(['INVALID_JSON', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INTERNAL'] as const),
  ...(['WRONG_TOKEN_TYPE', 'STORE_FORBIDDEN', 'INSUFFICIENT_SCOPE', 'TOKENS_ISSUED_ELSEWHERE', 'INVALID_CURSOR'] as const),
  ...(['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED', 'VERSION_REQUIRED', 'STORE_CODE_MISMATCH', 'SLOT_MISMATCH'] as const),
  ...(['GROUPS_MISMATCH', 'PAYMENT_INTENT_NOT_ON_PLATFORM'] as const),
];

function refusals(): readonly ProblemCode[] {
  const web = join(import.meta.dirname, '../web');
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => readFileSync(join(web, name), 'utf8'))
    .join('\n');
  const own = Object.values(operations).filter(({ path }) => sources.includes(`'${path}'`));
  expect(own.length).toBeGreaterThan(25);
  return [...new Set([...own.flatMap(({ problems }) => problems), ...commonProblems, ...replayProblems, ...versionProblems])];
}

test('each refusal that a page can show says what to do, in every language, and one that no customer can solve has a number to quote', async () => {
  const codes = refusals();
  expect(withNumber.filter((code) => !codes.includes(code))).toEqual([]);
  for (const texts of await Promise.all([loadTexts('en'), loadTexts('fr')])) {
    const said = codes.map((code) => ({
      code,
      ...explain(new CornerError({ code, message: 'x', requestId: 'r1', status: 400 } as never), texts),
    }));
    expect(
      said
        .filter(({ requestId }) => requestId !== null)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(withNumber.toSorted());
    expect(said.filter(({ happened, toDo }) => !/\.$/.test(happened) || !/\.$/.test(toDo) || happened === toDo)).toEqual([]);
  }
});

/** Refusals that are resolved where they are shown, by waiting, or at the counter. */
const here: readonly string[] = [
  'UPSTREAM_UNAVAILABLE',
  'IDEMPOTENCY_IN_PROGRESS',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'SESSION_ENDED',
  'STORE_NOT_FOUND',
  'PAYMENT_PROVIDER_ERROR',
  'PAYMENT_NOT_SUCCEEDED',
  'PAYMENT_MISMATCH',
  'TOO_LATE_TO_CANCEL',
  'ORDER_NOT_PAID',
  'ORDER_NOT_READY',
  'ORDER_HAS_NO_SLOT',
  'NOT_EARLIER',
  'LOYALTY_DISABLED',
  'DAILY_LIMIT_REACHED',
  'MONTHLY_LIMIT_REACHED',
  'CODE_WRONG_STORE',
  'NFC_PROOF_REQUIRED',
  'NFC_PROOF_INVALID',
  'NFC_PROOF_INCOMPLETE',
  'NFC_TAG_WRONG_STORE',
  'NFC_TAP_REPLAYED',
  'STORE_FROZEN',
  'VERSION_CONFLICT',
  'VALIDATION_FAILED',
  'TIME_NOT_FREE',
  'TOO_MANY_BOOKINGS',
  'NOTICE_PASSED',
  'INVALID_TRANSITION',
];

test('each refusal links the page where it can be undone, but for those that are dealt with where they are shown', async () => {
  const codes = refusals();
  const unlinked = codes.filter((code) => placeOf[code] === undefined && !withNumber.includes(code));
  expect(unlinked.toSorted()).toEqual(here.filter((code) => codes.some((each) => each === code)).toSorted());
  const { errors } = await loadTexts('en');
  expect(Object.keys(placeOf).filter((code) => !Object.hasOwn(errors, code) || here.includes(code))).toEqual([]);
});

test('a refusal does not link the page that shows it, and one outside of a shop links the shop that was opened last', () => {
  expect(hrefOf('basket', '/s/CAFE/pay/1', null)).toBe('/s/CAFE/basket');
  expect(hrefOf('basket', '/s/CAFE/basket', null)).toBeNull();
  expect(hrefOf('menu', '/orders/1', 'A B')).toBe('/s/A%20B');
  expect(hrefOf('menu', '/orders/1', null)).toBeNull();
  expect([hrefOf('orders', '/s/CAFE/basket', null), hrefOf('orders', '/orders', null)]).toEqual(['/orders', null]);
});
