import { type KeyObject, randomBytes } from 'node:crypto';
import { errors, jwtVerify } from 'jose';

export interface GoogleAccount {
  readonly email: string;
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly tokenUri: string;
}

const lifetime = 3_600;
const skew = 60;

export type Exchange =
  | { readonly status: 200; readonly body: { readonly access_token: string; readonly expires_in: number; readonly token_type: 'Bearer' } }
  | { readonly status: 400 | 401; readonly body: { readonly error: string; readonly error_description: string } };

export function createGoogleTokens(account: GoogleAccount, now: () => Date) {
  const live = new Map<string, { readonly scopes: readonly string[]; readonly until: number }>();
  const seconds = () => Math.floor(now().getTime() / 1_000);

  async function exchange(form: URLSearchParams): Promise<Exchange> {
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return refused('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
    const assertion = form.get('assertion');
    if (!assertion) return refused('invalid_request', 'Missing required parameter: assertion');
    try {
      const { payload, protectedHeader } = await jwtVerify(assertion, account.publicKey, {
        algorithms: ['RS256'],
        issuer: account.email,
        audience: account.tokenUri,
        requiredClaims: ['iat', 'exp'],
        clockTolerance: skew,
        currentDate: now(),
      });
      const { iat = 0, exp = 0, scope } = payload;
      if (protectedHeader.kid !== undefined && protectedHeader.kid !== account.keyId)
        return refused('invalid_grant', 'Invalid JWT: no key of that id belongs to the account');
      if (exp - iat > lifetime || iat > seconds() + skew)
        return refused('invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.');
      if (typeof scope !== 'string' || scope.trim() === '')
        return refused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
      const access_token = `ya29.${randomBytes(32).toString('base64url')}`;
      live.set(access_token, { scopes: scope.split(' '), until: seconds() + lifetime });
      return { status: 200, body: { access_token, expires_in: lifetime - 1, token_type: 'Bearer' } };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      if (error instanceof errors.JWSSignatureVerificationFailed) return refused('invalid_grant', 'Invalid JWT Signature.');
      return refused('invalid_grant', `Invalid JWT: ${error.message}`);
    }
  }

  return {
    exchange,
    judge(header: string | undefined, scopes: readonly string[]): 'good' | 'unauthenticated' | 'too_narrow' {
      const token = live.get(/^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '');
      if (!token || token.until <= seconds()) return 'unauthenticated';
      return token.scopes.some((scope) => scopes.includes(scope)) ? 'good' : 'too_narrow';
    },
    expireAll: () => live.clear(),
  };
}

export type GoogleTokens = ReturnType<typeof createGoogleTokens>;

const refused = (error: string, error_description: string): Exchange => ({ status: 400, body: { error, error_description } });
