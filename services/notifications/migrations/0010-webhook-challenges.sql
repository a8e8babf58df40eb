-- What the receiver of a webhook is to send back before it is called. Null once it has, for one without an address, and for those made before.
alter table webhook add column challenge text;

-- Requests to a host of receivers in the current minute, over all stores: `events`, and `challenges` to those that have not agreed yet.
create table webhook_host (
  host text not null check (octet_length(host) <= 1024),
  kind text not null check (kind in ('events', 'challenges')),
  minute timestamptz not null,
  requests integer not null,
  -- Of the last claim.
  granted integer not null,
  primary key (host, kind)
);
create index webhook_host_by_minute on webhook_host (minute);
