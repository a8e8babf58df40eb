import type { Context } from '../../context.ts';
import type { AppleWallet } from '../adapters/wallets.ts';
import type { PassState } from '../rules/pass-state.ts';
import { passBySerial } from '../tables/passes.ts';
import { sameSecret } from './pass-secrets.ts';

type Named = Readonly<Record<string, string>>;

/** What a device is answered that does not prove it has the pass. An unknown pass looks no different. */
export const unauthorized = { status: 401 } as const;

/** Serials are UUIDs; the database would take nothing else. */
export const isSerial = (text: string): boolean => aUuid.test(text);
const aUuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Stands in for the token of a pass that is not there, so that refusing takes as long. */
const nobodys = 'x'.repeat(43);

/** The pass a device proves to hold, by `Authorization: ApplePass <token>`; null without that proof. */
export async function provenPass(
  { database, wallets }: Pick<Context, 'database' | 'wallets'>,
  { passTypeIdentifier, serialNumber = '' }: Named,
  authorization: string | undefined,
): Promise<{ readonly apple: AppleWallet; readonly pass: PassState } | null> {
  const { apple } = wallets;
  const pass = isSerial(serialNumber) ? await passBySerial(database, serialNumber) : null;
  const token = /^ApplePass +(\S+) *$/.exec(authorization ?? '')?.[1] ?? '';
  const proven = sameSecret(token, pass?.authToken ?? nobodys);
  return proven && apple && pass && passTypeIdentifier === apple.passTypeId ? { apple, pass } : null;
}
