import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';

/** Whether a name can be part of a subject of NATS, as the name of an operator is. */
export const isOperatorName = (name: string): boolean => /^[^\s.*>]+$/.test(name);

/** Parses the name of an operator. */
export function parseOperatorName(text: string): string {
  if (!isOperatorName(text)) throw new InvalidArgumentError('A name has no spaces, dots, asterisks and angle brackets.');
  return text;
}

/** Returns the name under which this person acts: the user of NATS, or the user of this machine in the form that a subject can hold. */
export const operatorName = (): string => (process.env.NATS_USER || userInfo().username).replace(/[\s.*>]+/g, '-');
