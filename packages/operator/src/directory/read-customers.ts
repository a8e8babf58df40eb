import { createHash } from 'node:crypto';
import { languages, readPhoneNumber, readRows, separatorOf } from '@corner/contracts';
import { z } from 'zod';
import { DirectoryFaults } from './parse-directory.ts';

const columns = ['name', 'email', 'phone', 'language', 'id'] as const;
type Column = (typeof columns)[number];
export type ListedCustomer = { readonly id: string } & Readonly<Record<Exclude<Column, 'id'>, string | null>>;

/**
 * Reads customers from lines of name, email, phone, language and optionally id; a first line may name the columns in another order. A
 * missing id is derived from the email, else from the phone number. Throws {@link DirectoryFaults} that name each wrong line, without
 * repeating an address.
 */
export function readCustomers(text: string): ListedCustomer[] {
  const faults: string[] = [];
  const customers: ListedCustomer[] = [];
  const lineOf = new Map<string, number>();
  const [first, ...rest] = readRows(text, separatorOf(text));
  const named = first && headerOf(first.cells);
  for (const { line, cells, fault } of named ? rest : [first, ...rest].filter((row) => row !== undefined)) {
    const found =
      fault !== null
        ? [fault]
        : cells.length > (named ?? columns).length
          ? ['it has more cells than there are columns']
          : customerOf(cells, named ?? columns);
    if (Array.isArray(found)) {
      faults.push(...found.map((fault) => `line ${line}: ${fault}`));
      continue;
    }
    const before = lineOf.get(found.id);
    if (before !== undefined) faults.push(`line ${line}: the customer of line ${before} again`);
    lineOf.set(found.id, line);
    customers.push(found);
  }
  if (customers.length === 0 && faults.length === 0) faults.push('the file has no line with a customer');
  if (faults.length > 0) throw new DirectoryFaults(faults);
  return customers;
}

function headerOf(cells: readonly string[]): Column[] | null {
  const names = cells.map((cell) => cell.toLowerCase());
  return names.every((name) => columns.some((column) => column === name)) ? (names as Column[]) : null;
}

function customerOf(cells: readonly string[], order: readonly Column[]): ListedCustomer | string[] {
  const value = (column: Column) => cells[order.indexOf(column)] || null;
  const [name, email, typedPhone, language, id] = [value('name'), value('email'), value('phone'), value('language'), value('id')];
  const phone = typedPhone && readPhoneNumber(typedPhone, null);
  const faults = [
    ...(email === null || z.email().safeParse(email).success ? [] : ['the email is not an address']),
    ...(typedPhone !== null && phone === null ? ['the phone number must begin with + and the country, such as +447700900123'] : []),
    ...(language === null || languages.some((known) => known === language.toLowerCase())
      ? []
      : [`the language must be one of ${languages.join(', ')}`]),
    ...(id === null || z.guid().safeParse(id).success ? [] : ['the id must be a UUID']),
    ...(id === null && email === null && typedPhone === null ? ['an email, a phone number or an id is needed'] : []),
  ];
  if (faults.length > 0) return faults;
  const own = id?.toLowerCase() ?? idOf(email === null ? `phone:${phone}` : `email:${email.toLowerCase()}`);
  return { id: own, name, email, phone, language: language?.toLowerCase() ?? null };
}

function idOf(key: string): string {
  const bytes = createHash('sha256').update(`customer ${key}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
