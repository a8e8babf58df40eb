import { createHash, createPrivateKey, sign } from 'node:crypto';
import {
  DayStatement,
  hashedTextOfShares,
  hashedTextOfWeight,
  type orders,
  type ReplyOf,
  type TipListStatement,
  type TipShare,
  type TipStatement,
} from '@corner/contracts';
import { z } from 'zod';
import { peopleOf, type SharedTips, type WeightedList } from './rules/share-tips.ts';

export interface BookKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d?: string | undefined;
}

export interface BookSigner {
  /** Returns a payload as a JWS in compact form: signed by the first key, or with an empty signature without keys. */
  seal(payload: string): string;
  readonly keys: ReplyOf<typeof orders.readBookKeys>['keys'];
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Creates a signer. The first key must have its private part; without keys it seals without a signature. */
export function createBookSigner(keys: readonly BookKey[]): BookSigner {
  const [first] = keys;
  const privateKey = first && createPrivateKey({ key: { ...first, d: first.d ?? '' }, format: 'jwk' });
  const header = first ? { alg: 'EdDSA', kid: thumbprintOf(first) } : { alg: 'none' };
  return {
    seal(payload) {
      const signed = `${encode(JSON.stringify(header))}.${encode(payload)}`;
      return `${signed}.${privateKey ? sign(null, Buffer.from(signed), privateKey).toString('base64url') : ''}`;
    },
    keys: keys.map((key) => ({ kty: 'OKP', crv: 'Ed25519', x: key.x, kid: thumbprintOf(key), alg: 'EdDSA', use: 'sig' })),
  };
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url');

const HeaderOfProof = z.object({ kid: z.string().optional() });

/** Reads what a proof says, without verifying it: `kid` is null where it names no key. Null when it cannot be read. */
export function readProof(proof: string): { readonly statement: DayStatement; readonly kid: string | null } | null {
  try {
    const [header, payload] = proof.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    const statement = DayStatement.parse(JSON.parse(payload ?? ''));
    return { statement, kid: HeaderOfProof.parse(JSON.parse(header ?? '')).kid ?? null };
  } catch {
    return null;
  }
}

/** The thumbprint of RFC 7638: the fields of a public key in the order of their names. */
const thumbprintOf = ({ crv, kty, x }: BookKey): string => hashText(JSON.stringify({ crv, kty, x }));

export function sealTipList(signer: BookSigner, storeId: string, version: number, { day, shares }: Omit<WeightedList, 'proof'>): string {
  const rows = shares.map((share) => hashText(hashedTextOfWeight(share)));
  const total_weight = shares.reduce((sum, { weight }) => sum + weight, 0);
  const statement: TipListStatement = { v: 1, store_id: storeId, date: day, version, rows, total_weight };
  return signer.seal(JSON.stringify(statement));
}

type Day = Pick<TipStatement, 'store_id' | 'store' | 'date' | 'currency'>;

/** Returns each worker's share, with a statement when the day has a proof and all its tips are shared. The same shares give the same text. */
export function sealTipShares(
  signer: BookSigner,
  day: Day,
  { parts, tips_pence, unshared_pence }: SharedTips,
  proof: string | null,
): TipShare[] {
  const people = peopleOf(day.date, parts);
  const shares = hashText(hashedTextOfShares(parts));
  const seal = (person: Pick<TipStatement, 'worker' | 'amount_pence' | 'parts'>, of: string): string => {
    const statement: TipStatement = { v: 1, ...day, day: hashText(of), tips_pence, workers: people.length, shares, ...person };
    return signer.seal(JSON.stringify(statement));
  };
  return people.map(({ worker, amount_pence, parts: own }) => {
    const kept = own.map(({ worker: _, ...part }) => part);
    return {
      worker,
      amount_pence,
      parts: kept.map(({ key: _key, entered: _entered, ...part }) => part),
      statement: proof === null || unshared_pence !== 0 ? null : seal({ worker, amount_pence, parts: kept }, proof),
    };
  });
}
