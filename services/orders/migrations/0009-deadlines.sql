-- Orders that no one ends end by themselves: what the store does not accept, and what is ready and not collected.
alter table store add column accept_within_minutes integer;
alter table store add column uncollected_after_hours integer not null default 4;
-- When a job looks whether the order was accepted, or collected, in time. It is set when the order is paid and taken away when it ends, so
-- that the steps between change no index. Null when it has ended, and for
-- an order from before this was kept, until its next step.
alter table orders add column look_at timestamptz;
-- When it ended because it was not collected; null once it was handed over after all.
alter table orders add column uncollected_at timestamptz;
