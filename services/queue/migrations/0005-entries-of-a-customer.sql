-- A file runs in one transaction, so its indexes are not built concurrently: writes wait while each table is read once, which takes a
-- second or so for a million rows.

-- An operator looks for a customer's entries by the customer's id.
create index entry_of_customer on entry (customer_id, joined_at desc) where customer_id is not null;
