import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose';
import type { z } from 'zod';

export interface Seal {
  seal(value: JWTPayload): Promise<string>;
  /** Returns the value; null when none of the keys sealed it for this purpose, or it does not fit the schema. */
  open<S extends z.ZodType>(schema: S, sealed: string | undefined): Promise<z.output<S> | null>;
}

/**
 * Returns the seal of a purpose: an encrypted JWT with a direct key and A256GCM. The first key encrypts, all decrypt, so a key is replaced
 * without ending sessions. The purpose is authenticated too: a cookie of one kind is not accepted as another.
 */
export function createSeal(keys: readonly Uint8Array[], purpose: string): Seal {
  const [first] = keys;
  if (!first) throw new Error('a seal needs a key');
  const options = { typ: purpose, keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
  return {
    seal: (value) => new EncryptJWT(value).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: purpose }).encrypt(first),
    async open(schema, sealed) {
      if (sealed === undefined) return null;
      for (const key of keys) {
        const opened = await jwtDecrypt(sealed, key, options).catch(() => null);
        if (opened) return schema.safeParse(opened.payload).data ?? null;
      }
      return null;
    },
  };
}
