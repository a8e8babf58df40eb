-- What a customer spent at a store is summed from the index alone, however many orders that is.
drop index order_ledger_of_card;
create index order_ledger_of_card on order_ledger (store_id, customer_id) include (paid_pence, refunded_pence) where paid;
