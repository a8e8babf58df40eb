-- A file runs in one transaction, so its indexes are not built concurrently: writes wait while each table is read once, which takes a
-- second or so for a million rows.

-- What people quote to an operator is found by an index: a customer, and a voucher's code, which comes first in its key now.
create index card_of_customer on card (customer_id);

create unique index voucher_by_code on voucher (code, store_id);
alter table voucher drop constraint one_voucher_for_a_code;
alter table voucher add constraint one_voucher_for_a_code unique using index voucher_by_code;
