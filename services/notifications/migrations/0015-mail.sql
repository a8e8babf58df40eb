-- Where replies to a store's mail go; null when none of its contacts has an address.
alter table store add column contact_email text;
