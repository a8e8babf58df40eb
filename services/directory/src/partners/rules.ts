import type { ChangedField, PartnerScope } from '@corner/contracts';
import type { Claims } from '../sign-in/index.ts';

export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly PartnerScope[];
  /** Those from which it was not withdrawn. */
  readonly store_ids: readonly string[];
  readonly created_at: string;
  /** The newest first; one that has expired may be among them. */
  readonly secrets: readonly PartnerSecret[];
}

export interface PartnerSecret {
  readonly created_at: string;
  /** Null for the newest. */
  readonly expires_at: string | null;
}

/** Partners of a store, at most: a list of them is one page. */
export const mostPartners = 50;

/** Milliseconds in which a repeat of the request shows its secret again: after a lost response. */
const shownAgainMs = 600_000;

export const isShownAgain = ({ created_at }: PartnerSecret, now: Date): boolean => now.getTime() - Date.parse(created_at) <= shownAgainMs;

/** Returns a partner as owners see it, with its valid secrets alone. */
export const partnerView = ({ secrets, ...partner }: Partner, now: Date) => ({
  ...partner,
  scopes: [...partner.scopes],
  store_ids: [...partner.store_ids],
  secrets: secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime()),
});

/** The claims of a partner’s token. Its role is the least: where a role decides, a partner may no more than staff. */
export const claimsOfPartner = ({ id, name, scopes, store_ids }: Omit<Partner, 'created_at' | 'secrets'>): Claims & { scope: string } => ({
  sub: id,
  typ: 'partner',
  name,
  scope: scopes.join(' '),
  stores: store_ids.map((store) => ({ id: store, role: 'staff' })),
});

export type PartnerChange = 'created' | 'secret' | 'withdrawn';

/** Returns what the log says of a change. A secret is named without its value. */
export function partnerFields(change: PartnerChange, { name, scopes }: Pick<Partner, 'name' | 'scopes'>): ChangedField[] {
  if (change === 'secret') return [{ field: 'secret', from: null, to: null }];
  const [from, to] = change === 'created' ? [null, name] : [name, null];
  const allowed = scopes.join(' ');
  return [
    { field: 'name', from, to },
    { field: 'scopes', from: from && allowed, to: to && allowed },
  ];
}
