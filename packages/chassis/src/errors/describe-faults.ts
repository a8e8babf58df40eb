import type { z } from 'zod';

/** Returns the path to a value as it is written in JavaScript: `.items[0].quantity`. */
export const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');

/** Returns a sentence for each fault that a schema found in the named part: where it is, and what is wrong there. */
export const describeFaults = (part: string, { issues }: z.ZodError): string[] => issues.map((issue) => describe(part, issue));

function describe(part: string, issue: z.core.$ZodIssue): string {
  const message = issue.code === 'invalid_type' && issue.message.endsWith('received undefined') ? 'is required' : issue.message;
  return `${part}${pathOf(issue.path)}: ${message}`;
}
