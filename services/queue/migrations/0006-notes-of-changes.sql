-- Tables that replies to polls are made of note what they change: see decision 13.
create trigger note_change after insert or update or delete on entry for each row execute function note_change('store', 'customer');
create trigger note_change after insert or update or delete on seat for each row execute function note_change('store');
create trigger note_change after insert or update or delete on booking for each row execute function note_change('store');
create trigger note_change after insert or update or delete on floor for each row execute function note_change('store');
create trigger note_change after insert or update or delete on walk_ins for each row execute function note_change('store');
create trigger note_change after insert or update or delete on store for each row execute function note_change('shared');
create trigger note_change after insert or update or delete on customer for each row execute function note_change('customer row');
