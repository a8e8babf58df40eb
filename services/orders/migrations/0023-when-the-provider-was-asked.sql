-- When the provider was asked for the state that is stored: the answer to an earlier question, which arrives later, changes nothing.
alter table store_account add column asked_at timestamptz;
alter table dispute add column asked_at timestamptz;
