-- What is known of each dispute over an order's payment. The event with the highest sequence wins, per dispute.
create table dispute (
  order_id uuid not null,
  dispute_id text not null,
  sequence bigint not null,
  state text not null check (state in ('opened', 'won', 'lost')),
  amount_pence integer not null,
  primary key (order_id, dispute_id)
);

-- Whether a dispute of the order is lost, and the money that went to the customer with it.
alter table order_ledger add column lost boolean not null default false;
alter table order_ledger add column lost_pence integer not null default 0;
drop index order_ledger_of_card;
create index order_ledger_of_card on order_ledger (store_id, customer_id) include (paid_pence, refunded_pence, lost_pence) where paid;

-- The order whose refund, or lost dispute, made the voucher usable again. If that is undone, the order has used the voucher after all.
alter table voucher add column restored_from_order uuid;
create index voucher_of_order on voucher (redeemed_by_order) where redeemed_by_order is not null;
create index voucher_restored on voucher (restored_from_order) where restored_from_order is not null;
