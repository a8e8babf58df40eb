-- Which ways a customer can be reached; the addresses themselves are none of this service's business.
create table contact (
  customer_id uuid primary key,
  version bigint not null,
  has_push boolean not null,
  has_email boolean not null
);

-- The last delay notice of an order: what it said, when the customer was last told, and whether a later word still has to be told.
create table delay_notice (
  order_id uuid primary key references orders,
  store_id uuid not null,
  wish text not null,
  note text,
  told_at timestamptz not null,
  owed boolean not null default false
);
create index delay_notice_owed on delay_notice (told_at) where owed;
