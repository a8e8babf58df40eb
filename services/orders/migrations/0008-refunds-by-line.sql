-- How many units of a line are refunded or about to be, and how many of those went back on sale. The constraints hold for every change from
-- now on; the lines that stand have nothing refunded, so none of them is read to check it.
alter table order_line add column refunded integer not null default 0;
alter table order_line add column restocked integer not null default 0;
alter table order_line add constraint line_is_never_refunded_beyond_what_was_bought check (refunded between 0 and quantity) not valid;
alter table order_line add constraint line_is_never_restocked_beyond_what_was_bought check (restocked between 0 and quantity) not valid;

-- The lines that a refund is for. A refund of an amount has none.
create table refund_line (
  refund_id uuid not null references refund,
  order_id uuid not null,
  position integer not null,
  quantity integer not null check (quantity > 0),
  amount_pence integer not null check (amount_pence >= 0),
  -- Whether its units go back on sale.
  restock boolean not null,
  primary key (refund_id, position),
  foreign key (order_id, position) references order_line
);
