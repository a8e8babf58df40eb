-- Columns, constraints and indexes named in plain words; nothing else changes.
alter table refund rename column told to counted;
alter table provider_event rename column worked_at to processed_at;
alter table delay_notice rename column wish to request;
alter table delay_notice rename column told_at to notified_at;
alter table delay_notice rename column owed to pending;
alter index delay_notice_owed rename to delay_notice_pending;
alter table slot rename column beyond to over_capacity;
alter table promo rename column beyond to over_limit;
alter index collection_code_tells_live_orders_apart rename to collection_code_is_unique_among_live_orders;
alter table slot rename constraint slot_beyond_check to slot_over_capacity_check;
alter table promo rename constraint promo_beyond_check to promo_over_limit_check;
