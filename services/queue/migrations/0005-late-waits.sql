-- By how many minutes a chair was offered later than quoted, rounded up and below 0 for early. Null while none was offered, and for what was offered
-- before this was kept.
alter table entry add column late_min integer;
-- The tenth and the ninetieth percentile of late_min when the wait was quoted. Null when too few quotes were known.
alter table entry add column quoted_spread integer[];
