import type { OpenIdClient, Person } from '../issuer/openid/people-and-clients.ts';
import { scopes } from '../issuer/tokens.ts';
import { people } from './cast.ts';
import { demoBearers } from './demo-tokens.ts';

export const consolePeople: readonly Person[] = [
  { key: 'bo', name: people.bo.name, about: 'Merchant: owns Corner Coffee and Corner Cuts', bearer: demoBearers.bo },
  { key: 'cy', name: people.cy.name, about: 'Staff: works at Corner Coffee', bearer: demoBearers.cy },
  {
    key: 'olu',
    name: people.olu.name,
    about: 'Operator: sees, repairs, and may see the values of events',
    bearer: { typ: 'operator', sub: people.olu.id, name: people.olu.name },
  },
  {
    key: 'pia',
    name: people.pia.name,
    about: 'Operator: sees only',
    bearer: { typ: 'operator', sub: people.pia.id, name: people.pia.name, scope: 'operator:read' },
  },
];

export const demoOperators = consolePeople.flatMap(({ bearer: { typ, sub, scope = scopes.operator } }) =>
  typ === 'operator' ? [{ subject: sub, scope }] : [],
);

export const consoleClientId = 'corner-console';

export const shopClientId = 'corner-shop';

export const shopClient = (origins: readonly string[]): OpenIdClient => ({
  id: shopClientId,
  redirectUris: origins.map((origin) => `${origin}/signed-in`),
  afterSignOut: origins.map((origin) => `${origin}/`),
});

export const consoleClient = (origins: readonly string[]): OpenIdClient => ({
  id: consoleClientId,
  redirectUris: origins.map((origin) => `${origin}/sign-in/callback`),
  afterSignOut: origins.map((origin) => `${origin}/`),
});
