import type { Problem, ProblemCode } from './problems.ts';

/** Codes of RFC 6749, section 5.2, and two of section 4.1.2.1 for cases without a code there. */
export const oauthErrors = [
  'invalid_client',
  'invalid_request',
  'unsupported_grant_type',
  'temporarily_unavailable',
  'server_error',
] as const;
type OauthErrorCode = (typeof oauthErrors)[number];

const codes: Readonly<Partial<Record<ProblemCode, OauthErrorCode>>> = {
  CLIENT_INVALID: 'invalid_client',
  UNAUTHENTICATED: 'invalid_client',
  TOKENS_ISSUED_ELSEWHERE: 'unsupported_grant_type',
  RATE_LIMITED: 'temporarily_unavailable',
  UPSTREAM_UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL: 'server_error',
};

/**
 * Returns the body of a token endpoint's refusal as RFC 6749 defines it, with Corner's code and the request's id added. `grantType` is the
 * requested one, of any type.
 */
export function oauthErrorOf({ code, message }: Pick<Problem, 'code' | 'message'>, requestId: string, grantType?: unknown) {
  const isOtherGrant = code === 'VALIDATION_FAILED' && typeof grantType === 'string' && grantType !== 'client_credentials';
  return {
    error: isOtherGrant ? 'unsupported_grant_type' : (codes[code] ?? 'invalid_request'),
    // The RFC allows printable ASCII without quotation marks and backslashes.
    error_description: message
      .replaceAll(/[‘’“”"]/g, "'")
      .replaceAll(/[–—]/g, '-')
      .replaceAll(/[^ !#-[\]-~]/g, '?'),
    code,
    requestId,
  };
}
