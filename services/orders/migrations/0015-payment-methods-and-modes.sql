-- Whether customers of the store may pay by methods that a bank confirms days later.
alter table store add column delayed_payment_methods boolean not null default false;
