import { z } from 'zod';
import { anyone, defineOperation, merchant } from '../operation.ts';
import { Instant, StoreId } from '../vocabulary.ts';
import { Language } from './snapshot-parts.ts';
import { idTokenType, Tokens, tokenExchange } from './tokens.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'directory';

const RefreshToken = z.string().min(1).max(512).describe('The last refresh token of the session.');
// Proofs of a person cannot be guessed here. So no limit counts failures by address: all people of a console share one, and one of them
// would use up the limit of the others.

const example = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl';

export const exchangeToken = defineOperation({
  name: 'exchangeToken',
  service,
  method: 'POST',
  path: '/api/v1/directory/token',
  summary: 'Sign in: exchange the ID token of an identity provider for an access token.',
  description:
    'The token exchange of RFC 8693, with a JSON body. The ID token is at most ten minutes old and is used once; a repeat with the same Idempotency-Key continues the same session. The first sign-in of a customer makes their profile, with the name and the verified address of the ID token. With guest_refresh_token the customer of a guest becomes that of the account, unless the account has one.',
  caller: anyone,
  body: z.object({
    grant_type: z.literal(tokenExchange).describe('The grant of RFC 8693.'),
    subject_token: z.string().min(1).max(16_384).describe('The ID token, for a client of this deployment.'),
    subject_token_type: z.literal(idTokenType).describe('That subject_token is an ID token.'),
    typ: z.enum(['customer', 'team']).describe('As whom: a customer, or one of the team: owner, staff or operator.'),
    guest_refresh_token: RefreshToken.optional().describe('Of the guest that the browser was until now.'),
  }),
  reply: Tokens.extend({
    guest: z
      .enum(['joined', 'kept', 'ended'])
      .nullable()
      .describe(
        'What became of the guest: their customer is the account’s from now on (`joined`), stays the guest’s because the account has another one (`kept`), or their session had ended (`ended`). Null without a guest.',
      ),
  }),
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'ID_TOKEN_INVALID', 'ID_TOKEN_USED', 'SESSION_ENDED'],
  replay: 'header',
  // A first sign-in of a customer publishes their profile: the operation refuses that itself.
  unpublished: true,
  unstored: true,
  extension: true,
  example: { body: { grant_type: tokenExchange, subject_token: example, subject_token_type: idTokenType, typ: 'customer' } },
});

export const refreshToken = defineOperation({
  name: 'refreshToken',
  service,
  method: 'POST',
  path: '/api/v1/directory/token/refresh',
  summary: 'Get the next access token for a refresh token.',
  description:
    'Stores, roles and scopes are read anew. The refresh token is used up and the reply has the next one. A repeat within a minute, or with the same Idempotency-Key, gets the same next one. Any other use of an older token ends the session, because two have it.',
  caller: anyone,
  body: z.object({ refresh_token: RefreshToken }),
  reply: Tokens,
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'SESSION_ENDED'],
  replay: 'header',
  unpublished: true,
  unstored: true,
  extension: true,
  example: { body: { refresh_token: 'MDE5MGEwMDA.1.bWFj' } },
});

export const endSession = defineOperation({
  name: 'endSession',
  service,
  method: 'POST',
  path: '/api/v1/directory/token/revoke',
  summary: 'Sign out: end the session of a refresh token.',
  description: 'A refresh token that is unknown or has ended is no error. Access tokens of the session stay valid until they expire.',
  caller: anyone,
  body: z.object({ refresh_token: RefreshToken }),
  reply: z.object({}),
  problems: ['TOKENS_ISSUED_ELSEWHERE'],
  replay: 'header',
  unpublished: true,
  unstored: true,
  extension: true,
  example: { body: { refresh_token: 'MDE5MGEwMDA.1.bWFj' } },
});

export const createGuest = defineOperation({
  name: 'createGuest',
  service,
  method: 'POST',
  path: '/api/v1/directory/guests',
  summary: 'Make a customer without an account.',
  description:
    'For an app whose customer orders without signing in. The refresh token is the only proof of who they are: the app keeps it, and sends it with a later sign-in, so that orders and stamps become the account’s. A repeat with the same Idempotency-Key gets the same guest, for ten minutes and until its tokens are refreshed.',
  caller: anyone,
  body: z.object({
    language: Language.optional().describe('The language of messages.'),
  }),
  reply: Tokens,
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'IDEMPOTENCY_KEY_REUSED'],
  replay: 'header',
  unstored: true,
  limits: [{ by: 'address', limit: 200, windowSeconds: 600 }],
  extension: true,
  example: { body: { language: 'en' } },
});

export const startStaffSession = defineOperation({
  name: 'startStaffSession',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/staff-sessions',
  summary: 'Start a staff session at a store.',
  description:
    'The token proves that a member of staff is at work: a customer’s request for several stamps is confirmed with it in X-Staff-Token. It is valid for this store, for twelve hours at most, and ends at once when the person is dismissed or its id is revoked.',
  caller: merchant,
  params: z.object({ store_id: StoreId }),
  body: z.object({}),
  reply: z.object({
    token: z.string().describe('For X-Staff-Token.'),
    session_id: z.string().describe('Names the session in revoke_sessions of changeStaff.'),
    expires_at: Instant,
  }),
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'STAFF_NOT_FOUND'],
  replay: 'header',
  unpublished: true,
  unstored: true,
  limits: [{ by: 'principal', limit: 30, windowSeconds: 3600 }],
  extension: true,
  example: { params: { store_id: demoStore }, body: {} },
});

export const readSigningKeys = defineOperation({
  name: 'readSigningKeys',
  service,
  method: 'GET',
  path: '/api/v1/directory/keys',
  summary: 'Read the public keys of access tokens.',
  description: 'A JWK set (RFC 7517). A new key is in it before it signs, and an old one while its tokens are valid.',
  caller: anyone,
  reply: z.object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        y: z.string(),
        kid: z.string().describe('Names the key in the header of a token.'),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  }),
  problems: ['TOKENS_ISSUED_ELSEWHERE'],
  replay: 'none',
  revalidated: true,
  extension: true,
  example: {},
});
