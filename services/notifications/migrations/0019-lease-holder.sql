-- The process that holds the lease. While it is alive it holds the advisory lock of this number; the leases of a dead one end early.
alter table topic add column lease_holder bigint;
