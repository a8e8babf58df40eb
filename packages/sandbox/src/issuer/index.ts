export { createIssuer, developmentIssuer, type Issuer, type IssuerOptions } from './create-issuer.ts';
export { type IssuerServerOptions, type RunningIssuer, startIssuer } from './start-issuer.ts';
export type { StaffSessionRequest, TokenRequest, Tokens } from './tokens.ts';
