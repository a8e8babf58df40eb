import type { FieldErrors } from '@corner/page-kit/logic/editing';
import { keyOf } from '@corner/page-kit/logic/merge';
import { RequestFailed, sentence } from '../../../logic/refusal.ts';

const ofFields: readonly string[] = ['VALIDATION_FAILED', 'INSUFFICIENT_ROLE', 'WEBHOOK_ADDRESS_REFUSED'];

/**
 * The message of a refusal is a list of `field: fault`, and begins with a capital letter, which names of fields do not; an index in the
 * sent body is translated into the key of that entry. Empty for any other refusal.
 */
export function fieldErrorsOf(error: unknown, body: unknown): FieldErrors {
  if (!(error instanceof RequestFailed)) return {};
  if (error.code === 'STORE_CODE_TAKEN') return { code: error.message };
  if (!ofFields.includes(error.code)) return {};
  const faults = error.message.replace(/\.$/, '').split('; ');
  return Object.fromEntries(faults.flatMap((fault) => errorOf(fault, body)).toReversed());
}

/** Returns the error that a dialog shows when its fields show the refusal. */
export const markedInstead = (error: unknown, found: FieldErrors): unknown =>
  error instanceof RequestFailed && Object.keys(found).length > 0
    ? new RequestFailed(error.status, error.code, 'Look at the field that is marked.', error.requestId)
    : error;

function errorOf(fault: string, body: unknown): [string, string][] {
  const [, path, text] = /^(?:[Bb]ody\.)?([\w.[\]-]+): (.+)$/.exec(fault) ?? [];
  if (path === undefined || text === undefined) return [];
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  steps[0] = `${steps[0]?.charAt(0).toLowerCase()}${steps[0]?.slice(1)}`;
  let here = body;
  const named = steps.map((step) => {
    here = (here as Readonly<Record<string, unknown>> | undefined)?.[step];
    return /^\d+$/.test(step) ? (keyOf(here) ?? step) : step;
  });
  return [[named.join('.'), sentence(plain(text))]];
}

const plain = (text: string): string =>
  text
    .replace(/^Too small: expected string to have >=1 characters$/, 'must not be empty')
    .replace(/^Too small: expected string to have >=(\d+) characters$/, 'must have at least $1 characters')
    .replace(/^Too big: expected string to have <=(\d+) characters$/, 'must have at most $1 characters')
    .replace(/^Too small: expected \w+ to be >=(-?\d+)$/, 'must be at least $1')
    .replace(/^Too big: expected \w+ to be <=(\d+)$/, 'must be at most $1')
    .replace(/^Too big: expected array to have <=(\d+) items$/, 'must have at most $1 entries')
    .replace(/^Invalid email address$/, 'must be an e-mail address such as bo@example.com');
