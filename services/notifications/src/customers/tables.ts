import { type CustomerData, instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Erased = z.object({ addresses: z.number(), devices: z.number(), choices: z.number(), messages: z.number(), passes: z.number() });

/**
 * Deletes a customer's addresses, choices and messages; one that is being sent now may still arrive. Their passes become void, which
 * wallets then show. Returns how many rows of each.
 */
export const eraseCustomer = (tx: Transaction, customerId: string): Promise<z.output<typeof Erased>> =>
  tx.one(sql.prepared('erase-customer', Erased)`
    with addresses as (delete from customer where id = ${customerId} returning 1),
    typed as (delete from typed_address where customer_id = ${customerId}),
    linked as (delete from device where customer_id = ${customerId} returning 1),
    gone as (delete from gone_device where customer_id = ${customerId} returning 1),
    preferred as (delete from preference where customer_id = ${customerId} returning 1),
    asked as (delete from marketing_ask where customer_id = ${customerId} returning 1),
    answered as (delete from consent where customer_id = ${customerId} returning 1),
    interacted as (delete from interaction where customer_id = ${customerId} returning 1),
    campaigned as (delete from campaign_recipient where customer_id = ${customerId}),
    texts as (delete from written_message where customer_id = ${customerId}),
    texted as (delete from texted_number where customer_id = ${customerId}),
    replied as (delete from text_answer where customer_id = ${customerId}),
    written as (delete from message where customer_id = ${customerId} returning 1),
    voided as (
      update pass
      set voided_at = ${tx.now.toISOString()}, changed_at = coalesce(changed_at, ${tx.now.toISOString()}),
        modified_at = greatest(date_trunc('second', ${tx.now.toISOString()}::timestamptz), modified_at + interval '1 second')
      where customer_id = ${customerId} and voided_at is null returning 1
    )
    select (select count(*) from addresses) as addresses, (select count(*) from linked) + (select count(*) from gone) as devices,
      (select count(*) from preferred) + (select count(*) from asked) + (select count(*) from answered)
        + (select count(*) from interacted) as choices,
      (select count(*) from written) as messages, (select count(*) from voided) as passes`);

const Deleted = z.object({ passes: z.number() });

/**
 * Deletes the content of a customer's passes, and void passes that wallets have fetched, or that became void before an instant. Returns how
 * many passes.
 */
export const deleteVoidPasses = (tx: Transaction, customerId: string, before: Date): Promise<number> =>
  tx.oneFirst(sql.prepared('delete-void-passes', Deleted)`
    with shown as materialized (
      select p.serial from pass p
      where p.customer_id = ${customerId} and p.voided_at is not null and (p.voided_at < ${before.toISOString()} or p.changed_at is null
        and (select count(*) from pass_update u where u.serial = p.serial) + (select count(*) from pass_device d where d.serial = p.serial) = 0)
    ), registrations as (delete from pass_device where serial = any(array(select serial from shown))),
    updates as (delete from pass_update where serial = any(array(select serial from shown))),
    cards as (delete from pass_card where customer_id = ${customerId}),
    vouchers as (delete from pass_voucher where customer_id = ${customerId}),
    deleted as (delete from pass where serial = any(array(select serial from shown)) returning 1)
    select count(*) as passes from deleted`);

export const hasPasses = (queries: Queries, customerId: string): Promise<boolean> =>
  queries.oneFirst(sql.prepared('has-passes', z.object({ found: z.boolean() }))`
    select exists (select from pass where customer_id = ${customerId}) as found`);

/** Keys of devices and passes are left out. */
export const exportedSections: CustomerData<unknown>['sections'] = [
  {
    name: 'addresses',
    rows: (id) => sql.fragment`select id::text as key, to_jsonb(customer) - 'version' as row from customer where id = ${id}`,
  },
  {
    name: 'linked devices',
    rows: (id) => sql.fragment`
      select id::text as key, jsonb_build_object('platform', platform, 'name', name, 'address', address, 'linked_at', linked_at) as row
      from device where customer_id = ${id}`,
  },
  {
    name: 'preferences',
    rows: (id) =>
      sql.fragment`select store_id::text as key, to_jsonb(preference) - 'customer_id' as row from preference where customer_id = ${id}`,
  },
  {
    name: 'questions about marketing',
    rows: (id) => sql.fragment`
      select store_id::text as key, jsonb_build_object('store_id', store_id, 'asks', asks) as row from marketing_ask where customer_id = ${id}`,
  },
  {
    name: 'answers about marketing',
    rows: (id) => sql.fragment`
      select store_id::text || to_char(sequence, 'FM0000000000000000000') as key,
        to_jsonb(consent) - 'customer_id' - 'sequence' as row from consent where customer_id = ${id}`,
  },
  {
    name: 'stores',
    rows: (id) => sql.fragment`
      select store_id::text as key, jsonb_build_object('store_id', store_id, 'first_at', first_at, 'last_at', last_at) as row
      from interaction where customer_id = ${id}`,
  },
  {
    name: 'what staff wrote',
    rows: (id) => sql.fragment`
      select id::text as key, to_jsonb(written_message) - 'customer_id' - 'by_id' - 'by_name' as row from written_message where customer_id = ${id}`,
  },
  {
    name: 'answers to texts',
    rows: (id) => sql.fragment`
      select id::text as key, jsonb_build_object('store_id', store_id, 'text', text, 'at', at) as row from text_answer where customer_id = ${id}`,
  },
  {
    name: 'words that stopped or allowed texts',
    rows: (id) => sql.fragment`
      select c.text_id as key, jsonb_build_object('word', c.word, 'accepted', c.accepted, 'at', c.at) as row
      from texted_number n join text_consent c using (number) where n.customer_id = ${id}`,
  },
  {
    name: 'campaigns',
    rows: (id) => sql.fragment`
      select campaign_id::text as key, to_jsonb(campaign_recipient) - 'customer_id' as row from campaign_recipient where customer_id = ${id}`,
  },
  {
    name: 'messages',
    rows: (id) => sql.fragment`
      select ${instantOf(sql.fragment`created_at`)} || id::text as key, jsonb_build_object(
        'store_id', store_id, 'channel', coalesce(sent_channel, channel), 'about', template, 'data', data, 'state', state, 'created_at', created_at) as row
      from message where customer_id = ${id}`,
  },
  {
    name: 'passes in wallets',
    rows: (id) => sql.fragment`
      select p.serial::text as key, jsonb_build_object('store_id', p.store_id, 'kind', p.kind, 'voucher_id', p.voucher_id,
        'phones', (select count(*) from pass_device d where d.serial = p.serial)) as row
      from pass p where p.customer_id = ${id}`,
  },
];
