-- Who did what the log says, by the id of their token, beside the name. Null for what the service did.
alter table log_entry add column actor_id text;
