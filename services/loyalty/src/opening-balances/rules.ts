import type { LookUp } from '../customers/index.ts';

export type NamedCustomer = Exclude<LookUp, { kind: 'name' }>;

/** The shortest phone number that is taken for a whole one. */
const wholeNumber = 7;

export const customerNamed = (lookUp: LookUp | null): NamedCustomer | null =>
  lookUp === null || lookUp.kind === 'name' || (lookUp.kind === 'phone' && lookUp.digits.length < wholeNumber) ? null : lookUp;

export function customerFault(named: NamedCustomer | null, found: number): string | null {
  if (!named) return 'must be a customer’s id, an e-mail address or a whole phone number';
  if (found === 0) return 'is no customer that the directory has published';
  return found > 1 ? 'is the same for several customers: name one by the id' : null;
}

/** The key of a line, once in its store: a line that is sent again finds it. */
export const lineKey = (line: { readonly id?: string | undefined }, customerId: string): string => `import:${line.id ?? customerId}`;

/** How many stamps a line adds: those of an unused reward are a full card. */
export const stampsOfLine = ({ stamps, vouchers }: { readonly stamps: number; readonly vouchers: number }, goal: number): number =>
  stamps + vouchers * goal;
