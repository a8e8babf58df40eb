import { measure, type Operation } from '@corner/chassis';
import { accessTokenType, type directory as contracts, Problem, type ReplyOf } from '@corner/contracts';
import { type Context, checkOnlyProducer, issuerOf } from '../context.ts';
import { madeBy } from '../object/transactions/object-requests.ts';
import { accessSeconds, claimsOf, readRefreshToken, type Session, writeRefreshToken } from './rules.ts';
import { closeSession, readPersonOf } from './tables.ts';
import { createGuest as create, refreshSession } from './transactions/sessions.ts';
import { signIn } from './transactions/sign-in.ts';

export const exchangeToken: Operation<typeof contracts.exchangeToken, Context> = async (request, context) => {
  const { typ: kind, subject_token, guest_refresh_token } = request.body;
  const { open } = issuerOf(context);
  // A first sign-in creates a customer, which another producer would not know.
  if (kind === 'customer') checkOnlyProducer(context);
  const identity = await context.verifyIdToken(subject_token, kind, context.now());
  const { requestId } = madeBy('exchangeToken', request);
  const guestToken = guest_refresh_token === undefined ? null : (open('refresh', guest_refresh_token) ?? '');
  const guest = guestToken ? readRefreshToken(guestToken) : null;
  const signedIn = await context.database.transaction((tx) => signIn(tx, { ...identity, kind, requestId, guest }));
  return { ...(await tokensOf(signedIn.session, context)), guest: guestToken === '' ? 'ended' : signedIn.guest };
};

/** Returns the next tokens of a session. An older refresh token ends the session, since two clients have it. */
export const refreshToken: Operation<typeof contracts.refreshToken, Context> = async (request, context) => {
  const token = issuerOf(context).open('refresh', request.body.refresh_token);
  if (token === null) throw new Problem('SESSION_ENDED');
  const { requestId } = madeBy('refreshToken', request);
  const { id, counter } = readRefreshToken(token);
  const session = await context.database.transaction((tx) => refreshSession(tx, { id, counter, requestId }));
  if (session === 'reused') {
    measure('corner.refresh_tokens.reused', 1, {});
    context.log.warn({ session_id: id }, 'a refresh token was used again: its session has ended');
  }
  if (session === 'ended' || session === 'reused') throw new Problem('SESSION_ENDED');
  return await tokensOf(session, context);
};

export const endSession: Operation<typeof contracts.endSession, Context> = async ({ body }, context) => {
  const token = issuerOf(context).open('refresh', body.refresh_token);
  if (token !== null) await closeSession(context.database, readRefreshToken(token).id, context.now());
  return {};
};

export const createGuest: Operation<typeof contracts.createGuest, Context> = async (request, context) => {
  issuerOf(context);
  const { requestId } = madeBy('createGuest', request);
  const language = request.body.language ?? null;
  const session = await context.database.transaction((tx) => create(tx, { language, requestId }));
  return await tokensOf(session, context);
};

export const readSigningKeys: Operation<typeof contracts.readSigningKeys, Context> = async (_request, context) => ({
  keys: [...issuerOf(context).keys],
});

async function tokensOf(session: Session, context: Context): Promise<ReplyOf<typeof contracts.refreshToken>> {
  const { audience, seal, signToken } = issuerOf(context);
  const person = await readPersonOf(context.database, session.id);
  if (!person) throw new Problem('SESSION_ENDED');
  const operator = context.operators.find(({ issuer, subject }) => issuer === person.issuer && subject === person.subject);
  const claims = claimsOf(session, person, operator?.scope ?? null);
  const now = context.now();
  return {
    access_token: await signToken({ ...claims, jti: context.newId() }, audience, now, accessSeconds),
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    scope: claims.scope,
    refresh_token: seal('refresh', writeRefreshToken(session)),
    refresh_expires_in: Math.max(0, Math.floor((Date.parse(session.expires_at) - now.getTime()) / 1000)),
    subject: { id: claims.sub, typ: claims.typ, name: claims.name ?? null },
  };
}
