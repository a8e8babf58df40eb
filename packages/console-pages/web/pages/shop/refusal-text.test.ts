import { expect, test } from '@jest/globals';
import { RequestFailed } from '../../logic/refusal.ts';
import { refusalText } from './refusal-text.ts';

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
    'Order S1-7: The payment is disputed.',
    'Order S1-7: no response came, and it is not known whether the change was made. Press again: it is made once.',
    'Your session has ended. Sign in again.',
    'Order S1-7: something went wrong in this page. Try again.',
  ]);
});
