import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';

export interface SigningKey {
  readonly id: string;
  readonly private: CryptoKey;
  readonly public: JWK;
}

/**
 * Opens the ES256 key in a file, and makes both when absent; without a file the key lives as long as the process. The directory service of
 * the same system signs with it too.
 */
export async function openSigningKey(file: string | undefined): Promise<SigningKey> {
  const jwk = file === undefined ? makeKey() : keptKey(file);
  const { d: _secret, ...shown } = jwk;
  const id = await calculateJwkThumbprint(shown);
  const signing = await importJWK(jwk, 'ES256');
  if (signing instanceof Uint8Array) throw new Error('The key file does not hold a private ES256 key.');
  return { id, private: signing, public: { ...shown, kid: id, alg: 'ES256', use: 'sig' } };
}

function keptKey(file: string): JWK {
  if (!existsSync(file)) keep(makeKey(), file);
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8')) as JWK;
}

/** Links a complete file into place: two processes that start at the same time both use the first one's key. */
function keep(jwk: JWK, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const aside = `${file}.${randomUUID()}`;
  writeFileSync(aside, JSON.stringify(jwk), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
}

const makeKey = (): JWK => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as JWK;
