import type { Queries } from '@corner/chassis';
import { secretsEqual } from '../../crypto.ts';
import { isSerial, type PassState } from '../rules/pass-state.ts';
import { selectPass } from '../tables/passes.ts';

/**
 * Returns the pass that a device proves to hold by `Authorization: ApplePass <token>`. Returns null for a wrong token and for an unknown
 * serial number, after the same time.
 */
export async function authenticatePass(database: Queries, serial: string, authorization: string | undefined): Promise<PassState | null> {
  const pass = isSerial(serial) ? await selectPass(database, serial) : null;
  const token = /^ApplePass +(\S+) *$/.exec(authorization ?? '')?.[1] ?? '';
  const authentic = secretsEqual(token, pass?.authToken ?? placeholder);
  return authentic && pass ? pass : null;
}

/** Compared with the token when there is no pass, so that the comparison takes as long. */
const placeholder = 'x'.repeat(43);
