-- Nothing that reaches an erased customer is written again: see the chassis' table erased_customer.
create trigger refuse_erased before insert or update of customer_id on device for each row execute function refuse_erased();
create trigger refuse_erased before insert or update on preference for each row execute function refuse_erased();
create trigger refuse_erased before insert on pass for each row execute function refuse_erased();
create trigger skip_erased before insert on marketing_ask for each row execute function skip_erased();
create trigger skip_erased before insert on interaction for each row execute function skip_erased();
create trigger skip_erased before insert on message for each row execute function skip_erased();
create trigger skip_erased before insert on pass_card for each row execute function skip_erased();
create trigger skip_erased before insert on pass_voucher for each row execute function skip_erased();
create trigger skip_erased before insert on gone_device for each row execute function skip_erased();
create trigger skip_erased_customer before insert or update on customer for each row execute function skip_erased_customer();

-- The passes of an erased customer: wallets are shown that they are void.
alter table pass add column voided_at timestamptz;
