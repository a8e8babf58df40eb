import { type Log, nameEntryPoints } from '@corner/chassis/edge';
import { SignInBegun, SignInConfirmed, SignInReturned } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import express, { type Express } from 'express';
import { limitByAddress } from '../http/limit-by-address.ts';
import { createProvider } from '../openid/provider.ts';
import type { StorefrontConfig } from './config.ts';

type AccountConfig = Pick<StorefrontConfig, 'SHOP_URL' | 'SHOP_ISSUER' | 'SHOP_CLIENT_ID' | 'SHOP_CLIENT_SECRET' | 'SHOP_SCOPE'>;

/** Sign-ins that an address completes in ten minutes, at most: 200 phones of one Wi-Fi do so once each. Each calls the provider. */
const finishing = { name: 'address', limit: 200, windowSeconds: 600 };

/**
 * Adds `POST /sign-in` and `POST /sign-in/finish`, with which a page signs a customer in at the OpenID provider; adds nothing without one.
 * The page keeps the state of a sign-in and exchanges the ID token, so this server stores nothing.
 */
export function addAccounts(app: Express, config: AccountConfig, { log, now }: { readonly log: Log; readonly now: () => Date }): void {
  const { SHOP_ISSUER: issuer, SHOP_CLIENT_ID: clientId, SHOP_URL: origin } = config;
  if (issuer === undefined || clientId === undefined) return;
  const redirectUri = `${origin}/signed-in`;
  const provider = createProvider({
    issuer,
    clientId,
    clientSecret: config.SHOP_CLIENT_SECRET,
    scope: config.SHOP_SCOPE,
    redirectUri,
    signedOutUri: `${origin}/`,
    prompt: 'select_account',
  });
  nameEntryPoints('http.route', ['/sign-in', '/sign-in/finish']);
  app.post('/sign-in', async (_request, response) => {
    const { url, asked } = await provider.begin();
    response.set('Cache-Control', 'no-store').json(SignInBegun.parse({ url: url.href, asked }));
  });
  app.post('/sign-in/finish', limitByAddress(finishing, now), express.json({ limit: '16kb' }), async (request, response) => {
    const returned = SignInReturned.safeParse(request.body);
    if (!returned.success) throw new Problem('VALIDATION_FAILED', { message: 'search and asked are needed.' });
    const { search, asked } = returned.data;
    const { idToken } = await provider.finish(new URL(`${redirectUri}${search}`), asked).catch((cause: unknown) => {
      if (cause instanceof Problem) throw cause;
      log.warn({ err: cause }, 'a customer was not signed in');
      throw new Problem('ID_TOKEN_INVALID', { message: 'The provider did not confirm the sign-in.' });
    });
    response.set('Cache-Control', 'no-store').json(SignInConfirmed.parse({ id_token: idToken }));
  });
}
