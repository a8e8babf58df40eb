-- outside a transaction
-- A customer's voided vouchers, which no stamp names any more. There are few.
create index concurrently voucher_voided on voucher (store_id, customer_id) where status = 'voided';
