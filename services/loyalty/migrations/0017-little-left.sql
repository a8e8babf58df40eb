-- Whether refunds have left less of the payment than an order must cost to earn stamps, though not nothing: its stamps are taken back.
alter table order_ledger add column little_left boolean default false not null;
