-- The apps and browsers that customers have linked for push, besides the devices that the directory knows. One device is one person's.
create table device (
  id uuid primary key,
  customer_id uuid not null,
  platform text not null check (platform in ('ios', 'android', 'web')),
  -- The app's token, or the endpoint of a browser's subscription.
  address text not null,
  -- What messages to a subscription are encrypted with, `p256dh` and `auth`; null for a token.
  keys jsonb,
  -- What the customer calls it.
  name text,
  linked_at timestamptz not null,
  constraint device_once unique (address),
  constraint device_keys_of_web check ((platform = 'web') = (keys is not null))
);
create index device_by_customer on device (customer_id);
