import { z } from 'zod';

/**
 * Returns an error's name and message with the constraint it broke, at most 1,000 characters, safe to store: see {@link redactedMessage}.
 */
export function describeError(error: unknown): string {
  if (error instanceof z.ZodError) return `no valid value: ${describeFaults('it', error).join('; ')}`.slice(0, 1_000);
  if (!Error.isError(error)) return 'a value that is not an error was thrown';
  return `${error.name}: ${redactedMessage(error)}${describeConstraint(error)}`.slice(0, 1_000);
}

/**
 * Returns an error's message without the values it may quote: rows (class 22) and JSON are personal data, names of constraints are not.
 * Cuts from the first quotation mark to the last, because a value may contain some.
 */
export function redactedMessage(error: Error): string {
  // The driver's class for a value of the wrong type carries neither the database's error nor its code.
  const quotesValues = ['SyntaxError', 'InvalidInputError'].includes(error.constructor.name) || sqlStateOf(error)?.startsWith('22');
  return quotesValues ? error.message.replace(/".*"/s, '"…"') : error.message;
}

export function framesOf({ stack = '', message }: Error): string | undefined {
  const messageAt = message === '' ? -1 : stack.lastIndexOf(message);
  const lines = stack.slice(messageAt < 0 ? 0 : messageAt + message.length).split('\n');
  return lines.filter((line) => /^ {4}at /.test(line)).join('\n') || undefined;
}

/** Returns file and line in our code where an error arose, and nothing of its message, which may hold personal data. */
export function placeOf(error: unknown): string {
  if (error instanceof z.ZodError) return `no valid value: ${describeFaults('it', error).join('; ')}`.slice(0, 1_000);
  if (!Error.isError(error)) return 'an unknown place';
  const frame = (error.stack ?? '').split('\n').find((line) => /\/(services|packages)\/[^/]+\/src\//.test(line));
  const place = /((?:services|packages)\/[^/]+\/src\/[^):]+:\d+)/.exec(frame ?? '')?.[1];
  return place === undefined ? error.name : `${error.name} at ${place}`;
}

function describeConstraint(error: Error): string {
  const { constraint, table } = error as { constraint?: unknown; table?: unknown };
  if (typeof constraint !== 'string') return '';
  return ` (${constraint}${typeof table === 'string' ? ` of ${table}` : ''})`;
}

function sqlStateOf(error: unknown): string | null {
  for (let fault = error; Error.isError(fault); fault = fault.cause) {
    const { code } = fault as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

export const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');

export const describeFaults = (part: string, { issues }: z.ZodError): string[] => issues.map((issue) => describe(part, issue));

function describe(part: string, issue: z.core.$ZodIssue): string {
  const message = issue.code === 'invalid_type' && issue.message.endsWith('received undefined') ? 'is required' : issue.message;
  return `${part}${pathOf(issue.path)}: ${message}`;
}
