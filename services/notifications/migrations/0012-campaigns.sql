-- What a store writes to those who said yes to its news.
create table campaign (
  id uuid primary key,
  store_id uuid not null,
  audience jsonb not null,
  title text not null,
  body text not null,
  state text not null default 'draft' check (state in ('draft', 'sending', 'sent', 'stopped')),
  -- Whether a tenth of the audience gets no message, so that the store sees what the message does.
  holds_out boolean not null default false,
  -- The last customer who was looked at: they come in the order of their ids.
  last_customer_id uuid,
  by_id text not null,
  by_name text,
  made_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  constraint ended_when_over check ((state in ('sent', 'stopped')) = (ended_at is not null))
);
create index campaign_of_store on campaign (store_id, made_at desc);
create index campaign_sending on campaign (begun_at) where state = 'sending';

-- A customer of a campaign: whom a message was written to, or who was held out.
create table campaign_recipient (
  campaign_id uuid not null references campaign (id),
  customer_id uuid not null,
  store_id uuid not null,
  at timestamptz not null,
  held_out boolean not null,
  -- The answer in the record of consent that allowed it.
  consent_sequence bigint not null,
  -- What became of the message; null while it is pending, and for one who was held out.
  outcome text check (outcome in ('sent', 'muted', 'superseded', 'failed')),
  -- When the customer was at the store again, within fourteen days.
  came_back_at timestamptz,
  primary key (campaign_id, customer_id)
);
create index campaign_recipient_of_customer on campaign_recipient (customer_id, store_id, at);
create index campaign_recipient_by_time on campaign_recipient (at);
create trigger refuse_erased before insert or update of customer_id on campaign_recipient for each row execute function refuse_erased();
