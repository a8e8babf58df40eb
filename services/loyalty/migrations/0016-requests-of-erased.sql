-- A token outlives the erasure of its customer by minutes: what it asks for is refused, as on the other tables that requests write to.
-- allowed: the released version has the same refusal for stamp codes
create trigger refuse_erased before insert on multi_stamp_request for each row execute function refuse_erased();
-- Receipts of taps come from the customer's phone. Stamps of orders and of staff may still be added: they are no one's by then.
create trigger refuse_erased before insert on stamp for each row when (new.receipt_id is not null) execute function refuse_erased();
