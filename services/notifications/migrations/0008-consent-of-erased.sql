-- Requests alone write to this table: an answer of an erased customer is refused, as on the other tables of requests.
-- allowed: the released version refused such an answer, too, as one about an unknown store
drop trigger skip_erased on marketing_ask;
create trigger refuse_erased before insert on marketing_ask for each row execute function refuse_erased();
