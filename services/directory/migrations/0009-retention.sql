-- allowed: the constraint that follows permits all that this one does, and one kind more
-- An erasure may also be begun because a customer has not visited for as long as the operator says.
alter table erasure drop constraint erasure_requested_by_check;
alter table erasure add constraint erasure_requested_by_check check (requested_by in ('customer', 'merchant', 'operator', 'retention')) not valid;
