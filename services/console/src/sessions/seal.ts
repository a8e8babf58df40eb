import { base64url, CompactEncrypt, compactDecrypt } from 'jose';
import type { z } from 'zod';

/** Encrypts values that only this server can read again, and knows from forged ones. */
export interface Seal {
  seal(value: unknown): Promise<string>;
  /** Returns the value; null when it was not sealed by one of the keys for the same purpose, or is not of the schema. */
  open<S extends z.ZodType>(schema: S, sealed: string | undefined): Promise<z.output<S> | null>;
}

/**
 * Returns the seal of a purpose: JWE with a direct key and A256GCM. The first key encrypts, all decrypt, so a key is replaced without ending
 * sessions. The purpose is authenticated too: a cookie of one kind is not taken for one of another.
 */
export function createSeal(keys: readonly Uint8Array[], purpose: string): Seal {
  const [first] = keys;
  if (!first) throw new Error('a seal needs a key');
  return {
    seal: async (value) =>
      await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: purpose })
        .encrypt(first),
    async open(schema, sealed) {
      if (sealed === undefined || typeOf(sealed) !== purpose) return null;
      for (const key of keys) {
        const opened = await compactDecrypt(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        }).catch(() => null);
        if (opened) return schema.safeParse(JSON.parse(new TextDecoder().decode(opened.plaintext))).data ?? null;
      }
      return null;
    },
  };
}

/** The purpose in the header, which the encryption authenticates. */
function typeOf(sealed: string): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(base64url.decode(sealed.split('.', 1)[0] ?? ''))) as { typ?: unknown }).typ;
  } catch {
    return null;
  }
}
