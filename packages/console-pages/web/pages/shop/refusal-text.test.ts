import { commonProblems, operations, type ProblemCode, problems, replayProblems, versionProblems } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { RequestFailed } from '../../logic/refusal.ts';
import { codesWithWay } from '../../logic/ways-out.ts';
import { moved, refusalText } from './refusal-text.ts';

test('a refusal is a sentence about what it concerns', () => {
  const texts = [
    refusalText(new RequestFailed(409, 'INVALID_TRANSITION', 'status: the order is collected.'), 'Order S1-7'),
    refusalText(new RequestFailed(409, 'ORDER_DISPUTED', 'The payment is disputed.'), 'Order S1-7'),
    refusalText(new RequestFailed(0, 'NO_CONNECTION', 'x'), 'Order S1-7'),
    refusalText(new RequestFailed(401, 'UNAUTHENTICATED', 'x'), 'Order S1-7'),
    refusalText(new TypeError('x'), 'Order S1-7'),
  ];
  expect(texts).toEqual([
    'Order S1-7 was changed by another person meanwhile, and is shown as it is now. status: the order is collected.',
    expect.stringMatching(/^Order S1-7: The payment is disputed\. Send evidence .+\.$/),
    'Order S1-7: no response came, and it is not known whether the change was made. Press again: it is made once.',
    'Your session has ended. Sign in again.',
    'Order S1-7: something went wrong in this page. Try again.',
  ]);
});

const withNumber: readonly ProblemCode[] = [
  ...(['INVALID_JSON', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INTERNAL'] as const),
  ...(['WRONG_TOKEN_TYPE', 'INSUFFICIENT_SCOPE', 'TOKENS_ISSUED_ELSEWHERE', 'INVALID_CURSOR'] as const),
  ...(['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED', 'VERSION_REQUIRED'] as const),
  ...(['GROUPS_MISMATCH', 'SLOT_MISMATCH'] as const),
];

test('each refusal of an operation for people of a shop says what to do', () => {
  const ofShop = Object.values(operations).filter(({ caller }) => caller.types.some((type) => type !== 'customer'));
  expect(ofShop.length).toBeGreaterThan(60);
  const codes = [...new Set([...ofShop.flatMap((each) => each.problems), ...commonProblems, ...replayProblems, ...versionProblems])];
  const said = (code: ProblemCode) => refusalText(new RequestFailed(problems[code].status, code, problems[code].message, 'r-17'), 'It');
  const unsaid = codes.filter((code) => code !== 'UNAUTHENTICATED' && !moved.has(code) && !codesWithWay.includes(code));
  expect(unsaid.toSorted()).toEqual(withNumber.toSorted());
  expect(unsaid.filter((code) => !said(code).includes('r-17'))).toEqual([]);
  expect(codes.filter((code) => !/\.$/.test(said(code)))).toEqual([]);
  expect(codesWithWay.filter((code) => !codes.some((each) => each === code))).toEqual([]);
});
