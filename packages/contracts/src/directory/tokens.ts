import { z } from 'zod';

export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** Field names are those of RFC 8693. */
export const Tokens = z
  .object({
    access_token: z.string().describe('For the header Authorization: Bearer.'),
    issued_token_type: z.literal(accessTokenType),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds that the access token is valid.'),
    scope: z.string().describe('The scopes of the access token, separated by spaces.'),
    refresh_token: z.string().describe('For the next access token. Each one is used once: the reply to it has the next one.'),
    refresh_expires_in: z.int().describe('Seconds that the refresh token is valid while it is not used.'),
    subject: z
      .object({
        id: z.string().describe('The person: the subject of the access token.'),
        typ: z.enum(['customer', 'merchant', 'staff', 'operator']).describe('The type of the access token.'),
        name: z.string().nullable().describe('The name in the access token. Null when none is known.'),
      })
      .describe('Whom the access token names.'),
  })
  .meta({ id: 'Tokens', description: 'An access token and the refresh token for the next one.' });
