import { z } from 'zod';
import { file, serviceAccount } from '../../adapters/file-setting.ts';

/** Settings of wallets. Each wallet's are given all, or none: then there is no such wallet. */
export const walletSettings = {
  /** Where customers reach the gateway: passes name it, and devices come back to it. */
  WALLET_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  WALLET_APPLE_PASS_TYPE_ID: z.string().startsWith('pass.', 'must be a pass type identifier such as pass.com.example.card').optional(),
  WALLET_APPLE_TEAM_ID: z.string().min(1).optional(),
  /** PEM files: the pass type’s certificate, its RSA key, and Apple’s intermediate that issued it. */
  WALLET_APPLE_CERT_FILE: file.optional(),
  WALLET_APPLE_KEY_FILE: file.optional(),
  WALLET_APPLE_WWDR_FILE: file.optional(),
  /** Of the key file, when it has one. */
  WALLET_APPLE_KEY_PASSPHRASE: z.string().optional(),
  /** A service account’s key file, as Google gives it out. */
  WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: serviceAccount.optional(),
  WALLET_GOOGLE_ISSUER_ID: z.string().regex(/^\d+$/, 'must be the digits of an issuer id').optional(),
  WALLET_GOOGLE_API_BASE: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://walletobjects.googleapis.com'),
};

const all = z.object(walletSettings);
export type WalletSettings = z.output<typeof all>;

/** What each wallet needs: all of it or none. */
const needs = {
  apple: [
    'WALLET_BASE_URL',
    'WALLET_APPLE_PASS_TYPE_ID',
    'WALLET_APPLE_TEAM_ID',
    'WALLET_APPLE_CERT_FILE',
    'WALLET_APPLE_KEY_FILE',
    'WALLET_APPLE_WWDR_FILE',
  ],
  google: ['WALLET_BASE_URL', 'WALLET_GOOGLE_SERVICE_ACCOUNT_FILE', 'WALLET_GOOGLE_ISSUER_ID'],
} as const;

/** Names the settings that a wallet lacks which has some of its own. */
export function refuseHalfWallets(settings: WalletSettings, context: { addIssue(issue: z.core.$ZodSuperRefineIssue): void }): void {
  for (const names of [needs.apple, needs.google]) {
    const given = names.filter((name) => name !== 'WALLET_BASE_URL' && settings[name] !== undefined);
    for (const name of given.length > 0 ? names : [])
      if (settings[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: `is required beside ${given.join(', ')}` });
  }
}
