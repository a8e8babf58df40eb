import { type Log, nameEntryPoints } from '@corner/chassis/edge';
import { SessionRenewed, SignedOut } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import type { Express, RequestHandler } from 'express';
import { z } from 'zod';
import type { Provider } from '../openid/provider.ts';
import { type Cookie, forgetMany, hostCookie } from './cookies.ts';
import { createSeal } from './seal.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** Seconds that a sign-in may take at the provider. Each has a cookie of its own, since several tabs may sign in at once. */
const askedSeconds = 600;

const cookieName = 'corner-sign-in-';
const cookieOf = (state: unknown): Cookie => hostCookie(`${cookieName}${/^[\w-]{8}/.exec(String(state))?.[0] ?? ''}`, 'Lax');

const Begun = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string(), until: z.number() });

/**
 * Adds `GET /sign-in?to=`, `GET /sign-in/callback`, `POST /session/renew` and `POST /sign-out`. A cookie with SameSite=Lax holds the state
 * of a sign-in, because the provider's redirect comes from another site. A failed sign-in ends on a page that says why.
 */
export function addSignIn(app: Express, { origin, keys, provider, tokens, sessions, log, now }: SignInOptions): void {
  const seal = createSeal(keys, 'corner-sign-in');

  const begin: RequestHandler = async (request, response) => {
    const { url, asked } = await provider.begin();
    const to = placeIn(origin, request.query.to);
    forgetMany(request, response, cookieName);
    const value = await seal.seal({ ...asked, to, until: now().getTime() + askedSeconds * 1000 });
    cookieOf(asked.state).set(response, value, askedSeconds);
    response.redirect(303, url.href);
  };

  const finish: RequestHandler = async (request, response) => {
    const cookie = cookieOf(request.query.state);
    const begun = await seal.open(Begun, cookie.read(request));
    cookie.clear(request, response);
    if (!begun || begun.until <= now().getTime()) throw new NotSignedIn(400, 'It took too long, or it began elsewhere.');
    const confirmed = await provider.finish(new URL(request.originalUrl, origin), begun).catch((cause: unknown) => {
      if (cause instanceof Problem) throw cause;
      throw new NotSignedIn(403, 'The provider did not confirm it.', { cause });
    });
    await sessions.begin(response, () => tokens.grant(confirmed));
    // A Strict cookie is not sent on a redirect that another site began: this page begins a navigation of the console's own.
    response.type('html').send(continuePage(begun.to));
  };

  const orFail =
    (handle: RequestHandler): RequestHandler =>
    async (request, response, next) => {
      try {
        await handle(request, response, next);
      } catch (error) {
        const { status, message } = error instanceof NotSignedIn || error instanceof Problem ? error : new Problem('INTERNAL');
        log.warn({ err: error instanceof NotSignedIn ? (error.cause ?? error) : error, status }, 'a person was not signed in');
        response.status(status).type('html').send(failedPage(message));
      }
    };

  nameEntryPoints('http.route', ['/sign-in', '/sign-in/callback', '/session/renew', '/sign-out']);
  app.get('/sign-in', orFail(begin));
  app.get('/sign-in/callback', orFail(finish));
  app.post('/session/renew', async (request, response) => {
    const { endsAt } = await sessions.renew(request, response);
    response.json(SessionRenewed.parse({ expires_at: endsAt.toISOString() }));
  });
  app.post('/sign-out', async (request, response) => {
    await sessions.end(request, response);
    const url = await provider.endSessionUrl().catch(() => null);
    response.json(SignedOut.parse({ to: url?.href ?? '/' }));
  });
}

class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Returns `/` for an address of another server; a path that begins with two slashes names one. */
function placeIn(origin: string, wanted: unknown): string {
  const url = typeof wanted === 'string' && wanted.startsWith('/') ? URL.parse(wanted, origin) : null;
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${head}</head><body>${body}</body></html>`;

const continuePage = (to: string): string =>
  page(
    'Signed in',
    `<meta http-equiv="refresh" content="0;url=${escapeHtml(to)}">`,
    `<p>You are signed in. <a href="${escapeHtml(to)}">Go on</a></p>`,
  );

const failedPage = (why: string): string =>
  page('Not signed in', '', `<h1>You are not signed in</h1><p>${escapeHtml(why)}</p><p><a href="/sign-in">Try again</a></p>`);

interface SignInOptions {
  readonly origin: string;
  readonly keys: readonly Uint8Array[];
  readonly provider: Provider;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly log: Log;
  readonly now: () => Date;
}
