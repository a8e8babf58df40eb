-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.

create table campaign (
  id uuid not null,
  store_id uuid not null,
  audience jsonb not null,
  title text not null,
  body text not null,
  state text default 'draft'::text not null,
  holds_out boolean default false not null,
  last_customer_id uuid,
  by_id text not null,
  by_name text,
  made_at timestamp with time zone not null,
  begun_at timestamp with time zone,
  ended_at timestamp with time zone,
  results jsonb,
  constraint campaign_pkey PRIMARY KEY (id),
  constraint campaign_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'sending'::text, 'sent'::text, 'stopped'::text]))),
  constraint ended_when_over CHECK (((state = ANY (ARRAY['sent'::text, 'stopped'::text])) = (ended_at IS NOT NULL)))
);
CREATE INDEX campaign_counted ON campaign USING btree (begun_at) WHERE (results IS NULL);
CREATE INDEX campaign_of_store ON campaign USING btree (store_id, made_at DESC);
CREATE INDEX campaign_sending ON campaign USING btree (begun_at) WHERE (state = 'sending'::text);

create table campaign_recipient (
  campaign_id uuid not null,
  customer_id uuid not null,
  store_id uuid not null,
  at timestamp with time zone not null,
  held_out boolean not null,
  consent_sequence bigint not null,
  outcome text,
  came_back_at timestamp with time zone,
  constraint campaign_recipient_pkey PRIMARY KEY (campaign_id, customer_id),
  constraint campaign_recipient_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaign(id),
  constraint campaign_recipient_outcome_check CHECK ((outcome = ANY (ARRAY['sent'::text, 'muted'::text, 'superseded'::text, 'failed'::text])))
);
CREATE INDEX campaign_recipient_by_time ON campaign_recipient USING btree (at);
CREATE INDEX campaign_recipient_of_customer ON campaign_recipient USING btree (customer_id, store_id, at);

create table consent (
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  at timestamp with time zone not null,
  accepted boolean not null,
  way text not null,
  wording text,
  locale text,
  ask smallint,
  constraint consent_pkey PRIMARY KEY (customer_id, store_id, sequence),
  constraint consent_once_for_an_ask UNIQUE (customer_id, store_id, ask),
  constraint consent_asked_twice_at_most CHECK (((ask >= 1) AND (ask <= 2))),
  constraint consent_locale_check CHECK (((octet_length(locale) >= 1) AND (octet_length(locale) <= 64))),
  constraint consent_shows_its_wording CHECK ((((way = ANY (ARRAY['question'::text, 'preferences'::text])) = (wording IS NOT NULL)) AND ((wording IS NULL) = (locale IS NULL)))),
  constraint consent_way_check CHECK ((way = ANY (ARRAY['question'::text, 'preferences'::text, 'unsubscribe'::text, 'api'::text]))),
  constraint consent_wording_check CHECK (((octet_length(wording) >= 1) AND (octet_length(wording) <= 4000)))
);

create table contact (
  id uuid not null,
  store_id uuid not null,
  email text,
  phone text,
  push_devices jsonb not null,
  constraint contact_pkey PRIMARY KEY (id)
);
CREATE INDEX contact_by_store ON contact USING btree (store_id);

create table customer (
  id uuid not null,
  version bigint not null,
  name text,
  email text,
  phone text,
  push_devices jsonb not null,
  language text,
  email_verified boolean default true not null,
  constraint customer_pkey PRIMARY KEY (id)
);

create table device (
  id uuid not null,
  customer_id uuid not null,
  platform text not null,
  address text not null,
  keys jsonb,
  name text,
  linked_at timestamp with time zone not null,
  constraint device_pkey PRIMARY KEY (id),
  constraint device_once UNIQUE (address),
  constraint device_keys_of_web CHECK (((platform = 'web'::text) = (keys IS NOT NULL))),
  constraint device_platform_check CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'web'::text])))
);
CREATE INDEX device_by_customer ON device USING btree (customer_id);

create table gone_device (
  customer_id uuid not null,
  device_id text not null,
  gone_at timestamp with time zone not null,
  constraint gone_device_pkey PRIMARY KEY (customer_id, device_id)
);

create table interaction (
  customer_id uuid not null,
  store_id uuid not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint interaction_pkey PRIMARY KEY (customer_id, store_id)
);

create table mail_count (
  address bytea not null,
  kind text not null,
  hour timestamp with time zone not null,
  in_hour integer not null,
  day timestamp with time zone not null,
  in_day integer not null,
  last_message uuid not null,
  constraint mail_count_pkey PRIMARY KEY (address, kind),
  constraint mail_count_address_check CHECK ((octet_length(address) = 32)),
  constraint mail_count_kind_check CHECK ((kind = ANY (ARRAY['own'::text, 'typed'::text, 'contact'::text])))
);
CREATE INDEX mail_count_by_day ON mail_count USING btree (day);

create table marketing_ask (
  customer_id uuid not null,
  store_id uuid not null,
  asks smallint default 0 not null,
  event_sequence bigint default 0 not null,
  switched_on jsonb default '{}'::jsonb not null,
  constraint marketing_ask_pkey PRIMARY KEY (customer_id, store_id),
  constraint marketing_ask_asks_check CHECK (((asks >= 0) AND (asks <= 2)))
);

create table message (
  id uuid not null,
  event_id uuid not null,
  customer_id uuid,
  contact_id uuid,
  entry_ref uuid,
  store_id uuid not null,
  channel text not null,
  template text not null,
  data jsonb not null,
  topic text not null,
  sequence bigint not null,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  state text default 'pending'::text not null,
  reason text,
  attempts smallint default 0 not null,
  traceparent text,
  created_at timestamp with time zone default clock_timestamp() not null,
  settled_at timestamp with time zone,
  sent_channel text,
  constraint message_pkey PRIMARY KEY (id),
  constraint message_once_per_event_and_channel UNIQUE (event_id, customer_id, channel),
  constraint message_once_per_event_and_contact UNIQUE (event_id, contact_id, channel),
  constraint message_topic_fkey FOREIGN KEY (topic) REFERENCES topic(key),
  constraint message_channel_check CHECK ((channel = ANY (ARRAY['push'::text, 'email'::text, 'sms'::text]))),
  constraint message_recipient CHECK (
CASE
    WHEN (contact_id IS NOT NULL) THEN ((customer_id IS NULL) AND (entry_ref IS NULL))
    ELSE ((customer_id IS NOT NULL) OR (entry_ref IS NOT NULL))
END),
  constraint message_settled_when_not_pending CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  constraint message_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'muted'::text, 'superseded'::text, 'failed'::text])))
);
CREATE INDEX message_by_settled_at ON message USING btree (settled_at) WHERE (settled_at IS NOT NULL);
CREATE INDEX message_by_topic ON message USING btree (topic);
CREATE INDEX message_of_customer ON message USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE UNIQUE INDEX message_once_per_event_for_guest ON message USING btree (event_id) WHERE ((customer_id IS NULL) AND (contact_id IS NULL));

create table pass (
  serial uuid not null,
  kind text not null,
  customer_id uuid not null,
  store_id uuid not null,
  voucher_id uuid,
  auth_token text not null,
  modified_at timestamp with time zone not null,
  changed_at timestamp with time zone,
  update_tag bigint default 0 not null,
  voided_at timestamp with time zone,
  constraint pass_pkey PRIMARY KEY (serial),
  constraint pass_once UNIQUE NULLS NOT DISTINCT (customer_id, store_id, voucher_id),
  constraint pass_kind_check CHECK ((kind = ANY (ARRAY['stamp_card'::text, 'voucher'::text]))),
  constraint pass_kind_matches_voucher CHECK (((kind = 'voucher'::text) = (voucher_id IS NOT NULL)))
);
CREATE INDEX pass_by_change ON pass USING btree (changed_at) WHERE (changed_at IS NOT NULL);
CREATE INDEX pass_by_store ON pass USING btree (store_id);

create table pass_card (
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  stamps integer not null,
  goal integer not null,
  constraint pass_card_pkey PRIMARY KEY (customer_id, store_id)
);

create table pass_design (
  store_id uuid not null,
  store_version bigint default 0 not null,
  name text,
  logo_url text,
  background text,
  programme_version bigint default 0 not null,
  goal integer,
  reward_title text,
  constraint pass_design_pkey PRIMARY KEY (store_id)
);

create table pass_device (
  device_id text not null,
  serial uuid not null,
  push_token text not null,
  constraint pass_device_pkey PRIMARY KEY (device_id, serial),
  constraint pass_device_serial_fkey FOREIGN KEY (serial) REFERENCES pass(serial)
);
CREATE INDEX pass_device_by_serial ON pass_device USING btree (serial);

create table pass_update (
  serial uuid not null,
  wallet text not null,
  version bigint default 1 not null,
  due_at timestamp with time zone not null,
  attempts smallint default 0 not null,
  failed_at timestamp with time zone,
  constraint pass_update_pkey PRIMARY KEY (serial, wallet),
  constraint pass_update_serial_fkey FOREIGN KEY (serial) REFERENCES pass(serial),
  constraint pass_update_wallet_check CHECK ((wallet = ANY (ARRAY['apple'::text, 'google'::text])))
);
CREATE INDEX pass_update_by_due ON pass_update USING btree (due_at) WHERE (failed_at IS NULL);

create table pass_update_counter (
  singleton boolean default true not null,
  last_tag bigint default 0 not null,
  constraint pass_update_counter_pkey PRIMARY KEY (singleton),
  constraint pass_update_counter_singleton_check CHECK (singleton)
);

create table pass_voucher (
  voucher_id uuid not null,
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  minted_sequence bigint,
  reward_title text,
  state text not null,
  constraint pass_voucher_pkey PRIMARY KEY (voucher_id),
  constraint pass_voucher_state_check CHECK ((state = ANY (ARRAY['active'::text, 'redeemed'::text, 'voided'::text, 'expired'::text])))
);
CREATE INDEX pass_voucher_by_card ON pass_voucher USING btree (customer_id, store_id);

create table preference (
  customer_id uuid not null,
  store_id uuid not null,
  messages_muted boolean default false not null,
  class_reminders boolean default true not null,
  class_events_enabled boolean default true not null,
  voucher_events_enabled boolean default true not null,
  stamp_events_enabled boolean default true not null,
  membership_events_enabled boolean default true not null,
  penalty_events_enabled boolean default true not null,
  marketing_enabled boolean default false not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint preference_pkey PRIMARY KEY (customer_id, store_id)
);
CREATE INDEX preference_marketing ON preference USING btree (store_id, customer_id) WHERE marketing_enabled;

create table programme_store (
  store_id uuid not null,
  programme_id uuid not null,
  constraint programme_store_pkey PRIMARY KEY (store_id)
);
CREATE INDEX programme_store_of_programme ON programme_store USING btree (programme_id);

CREATE OR REPLACE FUNCTION refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'restrict_violation';
end $function$;

create table refused_address (
  address bytea not null,
  at timestamp with time zone not null,
  constraint refused_address_pkey PRIMARY KEY (address),
  constraint refused_address_address_check CHECK ((octet_length(address) = 32))
);

create table stamp_digest (
  store_id uuid not null,
  sequence bigint default 0 not null,
  waiting_notified_at timestamp with time zone,
  constraint stamp_digest_pkey PRIMARY KEY (store_id)
);

create table stamp_review (
  stamp_id uuid not null,
  store_id uuid not null,
  state text not null,
  changed_at timestamp with time zone not null,
  reported_at timestamp with time zone,
  constraint stamp_review_pkey PRIMARY KEY (stamp_id),
  constraint stamp_review_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'rejected'::text]))),
  constraint stamp_review_waits_unreported CHECK (((state <> 'waiting'::text) OR (reported_at IS NULL)))
);
CREATE INDEX stamp_review_by_reported_at ON stamp_review USING btree (reported_at) WHERE (reported_at IS NOT NULL);
CREATE INDEX stamp_review_unreported ON stamp_review USING btree (store_id) WHERE ((state <> 'waiting'::text) AND (reported_at IS NULL));
CREATE INDEX stamp_review_waiting ON stamp_review USING btree (store_id) WHERE (state = 'waiting'::text);

create table store (
  id uuid not null,
  version bigint not null,
  name text not null,
  time_zone text not null,
  currency text not null,
  language text not null,
  vat_number text,
  contact_email text,
  constraint store_pkey PRIMARY KEY (id)
);

create table text_answer (
  id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  entry_ref uuid,
  text text not null,
  at timestamp with time zone not null,
  constraint text_answer_pkey PRIMARY KEY (id),
  constraint text_answer_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 1600)))
);
CREATE INDEX text_answer_of_customer ON text_answer USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX text_answer_of_guest ON text_answer USING btree (at) WHERE (customer_id IS NULL);
CREATE INDEX text_answer_of_store ON text_answer USING btree (store_id, at DESC, id);

create table text_consent (
  text_id text not null,
  number bytea not null,
  at timestamp with time zone not null,
  accepted boolean not null,
  word text not null,
  constraint text_consent_pkey PRIMARY KEY (text_id),
  constraint text_consent_number_check CHECK ((octet_length(number) = 32)),
  constraint text_consent_text_id_check CHECK (((octet_length(text_id) >= 1) AND (octet_length(text_id) <= 64))),
  constraint text_consent_word_check CHECK (((octet_length(word) >= 1) AND (octet_length(word) <= 64)))
);
CREATE INDEX text_consent_of_number ON text_consent USING btree (number, at DESC, accepted);

create table texted_number (
  number bytea not null,
  store_id uuid not null,
  customer_id uuid,
  entry_ref uuid,
  at timestamp with time zone not null,
  constraint texted_number_pkey PRIMARY KEY (number),
  constraint texted_number_number_check CHECK ((octet_length(number) = 32))
);
CREATE INDEX texted_number_of_customer ON texted_number USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX texted_number_of_guest ON texted_number USING btree (at) WHERE (customer_id IS NULL);

create table topic (
  key text not null,
  newest_sequence bigint not null,
  due_at timestamp with time zone,
  lease_token uuid,
  lease_expires_at timestamp with time zone,
  lease_holder bigint,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint topic_pkey PRIMARY KEY (key)
);
CREATE INDEX topic_by_due ON topic USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX topic_by_updated_at ON topic USING btree (updated_at);

create table typed_address (
  customer_id uuid not null,
  address bytea not null,
  first_message uuid not null,
  at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint typed_address_pkey PRIMARY KEY (customer_id, address),
  constraint typed_address_address_check CHECK ((octet_length(address) = 32))
);
CREATE INDEX typed_address_by_address ON typed_address USING btree (address);

create table waiting_event (
  position bigint generated always as identity not null,
  webhook_id uuid,
  store_id uuid not null,
  event_id uuid not null,
  type text not null,
  version integer not null,
  object text not null,
  at timestamp with time zone not null,
  data jsonb not null,
  constraint waiting_event_pkey PRIMARY KEY ("position"),
  constraint waiting_event_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id)
);

create table webhook (
  id uuid not null,
  store_id uuid not null,
  url text,
  types text[] not null,
  description text not null,
  request_key text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  secret_number integer default 1 not null,
  old_secret_until timestamp with time zone,
  rotation_key text,
  last_number bigint default 0 not null,
  due_at timestamp with time zone,
  not_before timestamp with time zone,
  failures integer default 0 not null,
  troubled boolean default false not null,
  lease_token uuid,
  leased_until timestamp with time zone,
  challenge text,
  constraint webhook_pkey PRIMARY KEY (id),
  constraint one_webhook_for_a_request UNIQUE (store_id, request_key),
  constraint webhook_url_check CHECK ((octet_length(url) <= 4096))
);
CREATE INDEX webhook_by_end ON webhook USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX webhook_due ON webhook USING btree (troubled, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_of_store ON webhook USING btree (store_id);

create table webhook_event (
  webhook_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  object text not null,
  type text not null,
  body text not null,
  created_at timestamp with time zone not null,
  state text default 'pending'::text not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone not null,
  give_up_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  status integer,
  detail text,
  constraint webhook_event_pkey PRIMARY KEY (webhook_id, number),
  constraint one_number_for_an_event UNIQUE (event_id, webhook_id),
  constraint webhook_event_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id),
  constraint webhook_event_detail_check CHECK ((octet_length(detail) <= 4096)),
  constraint webhook_event_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
);
CREATE INDEX webhook_event_by_age ON webhook_event USING btree (created_at);
CREATE INDEX webhook_event_dead ON webhook_event USING btree (webhook_id, number) WHERE (state = 'dead'::text);
CREATE INDEX webhook_event_due ON webhook_event USING btree (webhook_id, due_at) WHERE (state = 'pending'::text);
CREATE INDEX webhook_event_of_object ON webhook_event USING btree (webhook_id, object, number) WHERE (state = 'pending'::text);
CREATE INDEX webhook_event_pending ON webhook_event USING btree (webhook_id, number) WHERE (state = 'pending'::text);

create table webhook_host (
  host text not null,
  kind text not null,
  minute timestamp with time zone not null,
  requests integer not null,
  granted integer not null,
  constraint webhook_host_pkey PRIMARY KEY (host, kind),
  constraint webhook_host_host_check CHECK ((octet_length(host) <= 1024)),
  constraint webhook_host_kind_check CHECK ((kind = ANY (ARRAY['events'::text, 'challenges'::text])))
);
CREATE INDEX webhook_host_by_minute ON webhook_host USING btree (minute);

create table written_message (
  id uuid not null,
  store_id uuid not null,
  customer_id uuid not null,
  text text not null,
  by_id text not null,
  by_name text,
  at timestamp with time zone not null,
  constraint written_message_pkey PRIMARY KEY (id)
);
CREATE INDEX written_message_of_customer ON written_message USING btree (customer_id, at DESC);
CREATE INDEX written_message_of_store ON written_message USING btree (store_id, at DESC, id);
