-- Nothing that names an erased customer is written again: see the chassis' table erased_customer.
create trigger refuse_erased before insert on orders for each row execute function refuse_erased();
create trigger skip_erased before insert or update on contact for each row execute function skip_erased();
