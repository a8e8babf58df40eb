-- A keyed hash of the requester and the Idempotency-Key.
alter table stamp_code rename column asked_by to idempotency_key_hash;
-- Whether a verified tap shows that the customer was there.
alter table stamp_code rename column proved to presence_verified;
alter table stamp_code rename constraint stamp_codes_tell_apart to one_code_for_a_hash;

-- The place of a stamp among those of its order or request, from 1.
alter table stamp rename column n to ordinal;
-- Whether taking this stamp back added one to the card's debt.
alter table stamp rename column owed to left_debt;

-- The newest of the stamps a voucher was made from.
alter table voucher rename column completed_by to completing_stamp_id;
alter table voucher rename column reserved_by to reserved_by_order;
alter table voucher rename constraint voucher_codes_tell_apart to one_voucher_for_a_code;
