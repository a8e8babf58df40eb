import {
  hashedTextOfShares,
  hashedTextOfWeight,
  rulesOfCurrency,
  splitByWeight,
  TipListStatement,
  type TipPart,
  TipStatement,
} from '@corner/contracts';
import { z } from 'zod';
import { type BookKeySet, hashOf, readJws } from './read-jws.ts';
import { type VerifiedBook, verifyBooks } from './verify-books.ts';

interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface TipsQuestion {
  readonly keys: BookKeySet;
  /** The day's book as CSV; null to leave out the comparison with it. */
  readonly book: NamedText | null;
  /** True for some statements of a day only: then a missing one is no fault. */
  readonly partial: boolean;
}

export interface VerifiedStatement {
  readonly file: string;
  readonly worker: string | null;
  readonly statement: TipStatement | null;
  readonly signed_by: string | null;
  readonly faults: readonly string[];
}

export interface VerifiedTips {
  readonly statements: readonly VerifiedStatement[];
  /** Faults of the day, which are of no one statement. */
  readonly faults: readonly string[];
}

const Share = z.object({ worker: z.string(), amount_pence: z.int(), statement: z.string().nullable() });
/** A worker's share, or the whole reply of readTipShares. */
const TipsFile = z.union([z.object({ shares: z.array(Share) }).transform(({ shares }) => shares), Share.transform((share) => [share])]);

/**
 * Verifies workers' statements of a day by the public keys alone: each signature, each worker's row of the list as it was entered, that all
 * are of one day and sum to its tips, and that they were divided by the weights. Throws when a file is no share.
 */
export function verifyTips(files: readonly NamedText[], { keys, book, partial }: TipsQuestion): VerifiedTips {
  const read = files.flatMap(({ name, text }) => TipsFile.parse(JSON.parse(text)).map((share) => verifyShare(name, share, keys)));
  const first = read.find(({ statement }) => statement !== null);
  const statements = read.map((one) => ({ ...one, faults: [...one.faults, ...faultsBeside(first, one)] }));
  const found = statements.flatMap(({ statement }) => statement ?? []);
  const [of] = found;
  if (!first || !of) return { statements, faults: statements.length > 0 ? [] : ['there is no share'] };
  const together = partial ? [] : [...missingRows(found, keys), ...faultsTogether(of, found)];
  return { statements, faults: [...together, ...(book ? faultsOfBook(of, book, keys) : [])] };
}

function verifyShare(file: string, { worker, amount_pence, statement: jws }: z.output<typeof Share>, keys: BookKeySet): VerifiedStatement {
  const broken = (why: string) => ({ file, worker, statement: null, signed_by: null, faults: [why] });
  if (jws === null) return broken('it has no statement: the day is not closed yet, or has tips without a list');
  const { payload, signer } = readJws(jws, keys);
  const statement = TipStatement.safeParse(payload).data;
  if (!statement) return broken('its statement cannot be read: it was changed or cut');
  const faults = 'why' in signer ? [signer.why] : [];
  const money = moneyOf(statement.currency);
  const signed = `${statement.worker}, ${money(statement.amount_pence)}`;
  if (worker !== statement.worker || amount_pence !== statement.amount_pence)
    faults.push(`it says ${worker}, ${money(amount_pence)}, and ${signed} was signed`);
  const sum = statement.parts.reduce((all, part) => all + part.amount_pence, 0);
  if (sum !== statement.amount_pence) faults.push(`its parts sum to ${money(sum)}, and not to ${money(statement.amount_pence)}`);
  faults.push(...partsOf([statement]).flatMap((part) => faultsOfRow(part, statement.store_id, keys)));
  return { file, worker, statement, signed_by: 'kid' in signer ? signer.kid : null, faults };
}

const partsOf = (statements: readonly TipStatement[]): TipPart[] =>
  statements.flatMap(({ worker, parts }) => parts.map((part) => ({ worker, ...part })));

const listOf = ({ entered }: TipPart, keys: BookKeySet): TipListStatement | undefined =>
  TipListStatement.safeParse(readJws(entered, keys).payload).data;

/** Returns the place of the row in the list as it was entered; 0 when it is not in it. */
const placeOf = (part: TipPart, list: TipListStatement): number => list.rows.indexOf(hashOf(hashedTextOfWeight(part))) + 1;

function faultsOfRow(part: TipPart, storeId: string, keys: BookKeySet): string[] {
  const { signer } = readJws(part.entered, keys);
  const list = listOf(part, keys);
  if (list?.store_id !== storeId || list.date !== part.date) return [`the list of ${part.date} is not one that was entered for the day`];
  if ('why' in signer) return [`the list of ${part.date}: ${signer.why}`];
  const row = `row ${part.row} of the list of ${part.date}`;
  const faults: string[] = [];
  if (placeOf(part, list) === 0) faults.push(`${row} is not as it was entered, and is now: ${part.worker}, ${part.weight / 100}`);
  if (list.total_weight !== part.total_weight)
    faults.push(`the list of ${part.date} weighs ${list.total_weight / 100} in all, and the statement says ${part.total_weight / 100}`);
  // What is left over of a division goes to some rows, one unit each at most.
  if (Math.abs(part.amount_pence * part.total_weight - part.tips_pence * part.weight) >= part.total_weight)
    faults.push(`${row} is not divided by its weight`);
  return faults;
}

/** What all statements of a day have in common, and how it is called. */
const common = {
  store_id: 'store',
  date: 'day',
  currency: 'currency',
  day: 'proof of the day',
  tips_pence: 'tips of the day',
  workers: 'number of workers',
  shares: 'shares of all',
} as const;

function faultsBeside(first: VerifiedStatement | undefined, { statement }: VerifiedStatement): string[] {
  const [one, other] = [first?.statement, statement];
  if (!first || !one || !other) return [];
  const different = (Object.keys(common) as (keyof typeof common)[]).filter((name) => one[name] !== other[name]);
  return different.length === 0 ? [] : [`it has another ${different.map((name) => common[name]).join(', ')} than ${first.worker}’s`];
}

function missingRows(statements: readonly TipStatement[], keys: BookKeySet): string[] {
  return [...Map.groupBy(partsOf(statements), ({ date }) => date)].flatMap(([date, parts]) => {
    const list = parts[0] && listOf(parts[0], keys);
    if (!list) return [];
    const at = new Map(parts.map((part) => [placeOf(part, list) || part.row, part.worker]));
    return list.rows.flatMap((_, n) => {
      if (at.has(n + 1)) return [];
      const before = at.get(n);
      return [`row ${n + 1} of the list of ${date} is missing${before === undefined ? '' : `, after: ${before}`}`];
    });
  });
}

/** Compares the shares with the tips of the day, and with the rule. */
function faultsTogether({ currency, tips_pence, workers, shares }: TipStatement, statements: readonly TipStatement[]): string[] {
  const money = moneyOf(currency);
  const faults: string[] = [];
  if (statements.length !== workers) faults.push(`there are ${statements.length} statements, and ${workers} workers have a share`);
  const sum = statements.reduce((all, { amount_pence }) => all + amount_pence, 0);
  if (sum !== tips_pence) faults.push(`the shares sum to ${money(sum)}, and the tips of the day are ${money(tips_pence)}`);
  if (faults.length > 0) return faults;
  if (hashOf(hashedTextOfShares(partsOf(statements))) !== shares) faults.push('the shares together are not those that were signed');
  for (const parts of Map.groupBy(partsOf(statements), ({ date }) => date).values()) faults.push(...faultsOfRule(parts, money));
  return faults;
}

function faultsOfRule(parts: readonly TipPart[], money: (minor: number) => string): string[] {
  const inOrder = parts.toSorted((a, b) => a.row - b.row);
  const weights = inOrder.map(({ weight }) => weight);
  const amounts = splitByWeight(inOrder[0]?.tips_pence ?? 0, weights);
  return inOrder.flatMap(({ worker, date, amount_pence }, n) =>
    amount_pence === amounts[n]
      ? []
      : [`${worker} has ${money(amount_pence)} of the tips of ${date}, and ${money(amounts[n] ?? 0)} by weight`],
  );
}

function faultsOfBook({ store_id, date, currency, day, tips_pence }: TipStatement, book: NamedText, keys: BookKeySet): string[] {
  const verified: VerifiedBook[] = verifyBooks([book], { store: store_id, date, keys });
  return verified.flatMap(({ faults, hash, sums }) => {
    const found = faults.map(({ line, why }) => `${book.name}: ${line === null ? '' : `line ${line}: `}${why}`);
    if (hash === null) return found;
    const signed = sums.tip?.amount_pence ?? 0;
    const money = moneyOf(currency);
    if (signed !== tips_pence) found.push(`the tips of the day are ${money(tips_pence)}, and ${money(signed)} in its signed book`);
    if (hash !== day) found.push(`the statements name another proof of the day than ${book.name}`);
    return found;
  });
}

const moneyOf =
  (currency: string) =>
  (minor: number): string => {
    const { decimals } = rulesOfCurrency(currency);
    return `${(minor / 10 ** decimals).toFixed(decimals)} ${currency.toUpperCase()}`;
  };
