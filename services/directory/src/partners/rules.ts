import type { ChangedField, PartnerScope } from '@corner/contracts';
import type { Claims } from '../sign-in/index.ts';

/** `store_ids`: those from which it was not withdrawn. `secrets`: the newest first; expired ones may be among them. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly PartnerScope[];
  readonly store_ids: readonly string[];
  readonly created_at: string;
  readonly secrets: readonly PartnerSecret[];
}

export interface PartnerSecret {
  readonly created_at: string;
  /** Null for the newest. */
  readonly expires_at: string | null;
}

export const mostPartners = 50;

/** Milliseconds in which a repeat of the request shows its secret again: after a lost response. */
const shownAgainMs = 600_000;

export const isShownAgain = ({ created_at }: PartnerSecret, now: Date): boolean => now.getTime() - Date.parse(created_at) <= shownAgainMs;

export const partnerView = ({ secrets, ...partner }: Partner, now: Date) => ({
  ...partner,
  scopes: [...partner.scopes],
  store_ids: [...partner.store_ids],
  secrets: secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime()),
});

/** Returns the claims of a partner’s token. Its role is the least one: where roles decide, a partner may do no more than staff. */
export const claimsOfPartner = ({ id, name, scopes, store_ids }: Omit<Partner, 'created_at' | 'secrets'>): Claims & { scope: string } => ({
  sub: id,
  typ: 'partner',
  name,
  scope: scopes.join(' '),
  stores: store_ids.map((store) => ({ id: store, role: 'staff' })),
});

export type PartnerChange = 'created' | 'secret' | 'withdrawn';

export function partnerFields(change: PartnerChange, { name, scopes }: Pick<Partner, 'name' | 'scopes'>): ChangedField[] {
  if (change === 'secret') return [{ field: 'secret', from: null, to: null }];
  const [from, to] = change === 'created' ? [null, name] : [name, null];
  const allowed = scopes.join(' ');
  return [
    { field: 'name', from, to },
    { field: 'scopes', from: from && allowed, to: to && allowed },
  ];
}
