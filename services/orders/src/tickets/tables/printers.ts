import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { languages } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { dueSql, type PollingPrinter, type PrintTimes, toPrintSql, waitsSql } from './tickets.ts';

const PrinterRow = z.object({
  id: z.string(),
  name: z.string(),
  language: z.enum(languages),
  last_seen_at: z.string().nullable(),
  status_code: z.string().nullable(),
  /** The code of the newest refused ticket that waits or was given up within the last day. */
  failed_code: z.string().nullable(),
  tickets_waiting: z.number(),
  tickets_not_printed: z.number(),
});
export type PrinterRow = z.output<typeof PrinterRow>;

export interface NewPrinter {
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  readonly language: string;
  readonly tokenHash: string;
  /** Identifies the caller and its Idempotency-Key; null without a key, when no request is a repeat. */
  readonly requestKey: string | null;
}

const Id = z.object({ id: z.string() });

/**
 * Inserts a printer and returns its id, or the id of the printer that the same request inserted before. Null when there is no such store.
 */
export async function insertPrinter(tx: Transaction, printer: NewPrinter): Promise<string | null> {
  const { id, storeId, name, language, tokenHash, requestKey } = printer;
  const inserted = await tx.maybeOneFirst(sql.prepared('insert-printer', Id)`
    insert into printer (id, store_id, name, language, token_hash, request_key, created_at)
    select ${id}, s.id, ${name}, ${language}, ${tokenHash}, ${requestKey}, ${tx.now.toISOString()} from store s where s.id = ${storeId}
    on conflict on constraint one_printer_for_a_request do nothing
    returning id`);
  return (
    inserted ??
    (await tx.maybeOneFirst(sql.prepared('find-printer-of-request', Id)`
      select id from printer where store_id = ${storeId} and request_key = ${requestKey}`))
  );
}

export const listPrinters = (
  queries: Queries,
  storeId: string,
  times: PrintTimes,
  printerId: string | null = null,
): Promise<readonly PrinterRow[]> =>
  queries.any(sql.prepared('list-printers', PrinterRow)`
    select p.id, p.name, p.language, ${instantOf(sql.fragment`p.last_seen_at`)} as last_seen_at, p.status_code, made.failed_code,
      (made.waiting + unmade.waiting)::int as tickets_waiting, (made.given_up + unmade.given_up)::int as tickets_not_printed
    from printer p,
      lateral (
        select count(*) filter (where ${waitsSql(times)}) as waiting, count(*) filter (where not ${waitsSql(times)}) as given_up,
          (array_agg(t.failed_code order by t.id desc) filter (where t.failed_code is not null))[1] as failed_code
        from ticket t join orders o on o.id = t.order_id
        where t.printer_id = p.id and t.printed_at is null and t.expires_at > ${times.counted}
      ) made,
      -- While a printer is away, no ticket is made for it.
      lateral (
        select count(*) filter (where ${dueSql} > ${times.oldest}) as waiting, count(*) filter (where ${dueSql} <= ${times.oldest}) as given_up
        from orders o where o.store_id = p.store_id and ${toPrintSql(times)}
      ) unmade
    where p.store_id = ${storeId} and p.removed_at is null and (${printerId}::uuid is null or p.id = ${printerId}::uuid)
    order by p.created_at, p.id`);

/** Removes a printer: its address stops working. Returns false when the store has no such printer. A repeat changes nothing. */
export const markPrinterRemoved = async (queries: Queries, storeId: string, printerId: string, now: Date): Promise<boolean> =>
  (await queries.maybeOneFirst(sql.prepared('remove-printer', Id)`
    update printer set removed_at = coalesce(removed_at, ${now.toISOString()}), token_hash = null, request_key = null
    where id = ${printerId} and store_id = ${storeId}
    returning id`)) !== null;

const Polling = z.object({ id: z.string(), store_id: z.string(), created_at: z.string() });

export const notePoll = (tx: Transaction, hash: string, code: string | null): Promise<PollingPrinter | null> =>
  tx.maybeOne(sql.prepared('note-poll', Polling)`
    update printer p set last_seen_at = ${tx.now.toISOString()}, status_code = ${code}
    where p.token_hash = ${hash}
    returning p.id, p.store_id, ${instantOf(sql.fragment`p.created_at`)} as created_at`);

export const lockPrinters = (tx: Transaction, storeId: string, printerId: string | null): Promise<readonly string[]> =>
  tx.anyFirst(sql.prepared('lock-printers', Id)`
    select id from printer
    where store_id = ${storeId} and removed_at is null and (${printerId}::uuid is null or id = ${printerId}::uuid)
    order by id for no key update`);
