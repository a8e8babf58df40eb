import { DayStatement, sumsOfBook } from '@corner/contracts';
import { compareRows } from './compare-rows.ts';
import { type BookFault, readBook } from './read-book.ts';
import { type BookKeySet, hashOf, readJws } from './read-jws.ts';

export interface VerifiedBook {
  readonly file: string;
  readonly date: string | null;
  readonly number: number | null;
  /** The SHA-256 of the proof, as base64url, which the next day names. */
  readonly hash: string | null;
  readonly signed_by: string | null;
  readonly rows: number;
  readonly sums: DayStatement['sums'];
  readonly faults: readonly BookFault[];
}

export interface BookQuestion {
  readonly store: string;
  readonly date: string;
  readonly keys: BookKeySet;
}

/**
 * Verifies the files of a store's days by the public keys alone: the signature of each, each row, the sums, and that each day follows the
 * one before it. The first file is of the day in question, the others of the days after it.
 */
export function verifyBooks(files: readonly { readonly name: string; readonly text: string }[], asked: BookQuestion): VerifiedBook[] {
  const verified: VerifiedBook[] = [];
  let last: DayStatement | null = null;
  for (const { name, text } of files) {
    const before = verified.at(-1);
    const { statement, ...book } = verifyOne(name, text, asked);
    const chain: string[] = [];
    if (statement && !before && statement.date !== asked.date) chain.push(`it is of ${statement.date}, not of ${asked.date}`);
    if (statement && before && (statement.before !== before.hash || statement.number !== (last?.number ?? 0) + 1))
      chain.push(`it does not follow ${before.file}: the day before it has another proof`);
    verified.push({ ...book, faults: [...book.faults, ...chain.map((why) => ({ line: null, why }))] });
    last = statement;
  }
  return verified;
}

function verifyOne(file: string, text: string, { store, keys }: BookQuestion): VerifiedBook & { readonly statement: DayStatement | null } {
  const { rows, proof, faults: unsigned } = readBook(text);
  const nothing = { file, date: null, number: null, hash: null, signed_by: null, rows: rows.length, sums: {}, statement: null };
  const broken = (why: string) => ({ ...nothing, faults: [{ line: null, why }] });
  if (proof === null) return broken('it has no proof: the day is not closed yet, or the lines of its proof were removed');
  const { payload, signer } = readJws(proof, keys);
  const statement = DayStatement.safeParse(payload).data;
  if (!statement) return broken('its proof cannot be read: it was changed or cut');
  const faults: BookFault[] = 'why' in signer ? [{ line: null, why: signer.why }] : [];
  if (store !== statement.store_id && store.toUpperCase() !== statement.store.toUpperCase())
    faults.push({ line: null, why: `it is of the store ${statement.store}, not of ${store}` });
  faults.push(...unsigned, ...compareRows(rows, statement.rows, hashOf), ...faultsOfSums(sumsOfBook(rows), statement.sums));
  const { date, number, sums } = statement;
  return { ...nothing, date, number, hash: hashOf(proof), signed_by: 'kid' in signer ? signer.kid : null, sums, faults, statement };
}

function faultsOfSums(found: DayStatement['sums'], signed: DayStatement['sums']): BookFault[] {
  return [...new Set([...Object.keys(signed), ...Object.keys(found)])].flatMap((name) => {
    const [a, b] = [found[name], signed[name]].map((sum) => sum ?? { rows: 0, amount_pence: 0 });
    if (!a || !b || (a.rows === b.rows && a.amount_pence === b.amount_pence)) return [];
    return [
      {
        line: null,
        why: `${name.replace('_', ' ')}: ${a.rows} rows of ${a.amount_pence} in all, and ${b.rows} of ${b.amount_pence} were signed, in minor units`,
      },
    ];
  });
}
