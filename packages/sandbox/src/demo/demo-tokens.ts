import type { TokenRequest, Tokens } from '../issuer/tokens.ts';
import { merchantId, people, stores } from './cast.ts';

/** A working day, so that a copied command still works after lunch. In seconds. */
const dayAtWork = 12 * 3600;

export const demoBearers = {
  ana: { typ: 'customer', sub: people.ana.id, name: people.ana.name },
  bo: { typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [stores.coffee.id, stores.cuts.id], role: 'owner', merchantId },
  cy: { typ: 'staff', sub: people.cy.id, name: people.cy.name, stores: [stores.coffee.id], role: 'staff', merchantId },
} as const satisfies Record<string, TokenRequest>;

export async function demoTokens(tokens: Tokens, ttlSeconds = dayAtWork): Promise<{ ana: string; bo: string; cy: string }> {
  const [ana, bo, cy] = await Promise.all(Object.values(demoBearers).map((bearer) => tokens.token({ ...bearer, ttlSeconds })));
  return { ana: ana ?? '', bo: bo ?? '', cy: cy ?? '' };
}
