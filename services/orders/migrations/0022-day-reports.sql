-- What the payment provider keeps of a charge, in minor units of the order's currency; null until its balance says so.
alter table ledger add column provider_fee_pence integer;

-- A day of a store's money that has ended, summed once. What happens later to its orders belongs to a later day.
create table day_report (
  store_id uuid not null,
  -- A day of the store's time zone.
  day date not null,
  -- The next day begins here, also when the store's time zone has changed since.
  ends_at timestamptz not null,
  -- The sums of the day: DayFigures of src/reports/rules/figures.ts.
  figures jsonb not null,
  -- What was sold: [{name, quantity, amount_pence}].
  items jsonb not null,
  -- The tips of orders, and what refunds took back of them, oldest first: [{at, order_id, order_number, tip_pence}].
  tips jsonb not null,
  primary key (store_id, day)
);
