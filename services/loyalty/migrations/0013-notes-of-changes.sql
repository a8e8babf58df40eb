-- Tables that replies to polls are made of note what they change: see decision 13.
create trigger note_change after insert or update or delete on card for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on stamp for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on voucher for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on order_ledger for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on customer for each row execute function note_change('customer row');
create trigger note_change after insert or update or delete on store for each row execute function note_change('shared');
create trigger note_change after insert or update or delete on programme for each row execute function note_change('shared');
create trigger note_change after insert or update or delete on programme_store for each row execute function note_change('shared');
