-- outside a transaction
create unique index concurrently one_refund_for_a_credit_note on refund (payment_order_id, credit_note);
