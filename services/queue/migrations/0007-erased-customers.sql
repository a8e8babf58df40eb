-- Nothing that names an erased customer is written again: see the chassis' table erased_customer.
create trigger refuse_erased before insert or update of customer_id on entry for each row execute function refuse_erased();
create trigger skip_erased_customer before insert or update on customer for each row execute function skip_erased_customer();
