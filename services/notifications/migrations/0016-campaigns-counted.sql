-- outside a transaction
-- Campaigns that are still counted.
create index concurrently campaign_counted on campaign (begun_at) where results is null;
