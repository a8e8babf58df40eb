-- The channel over which the message was sent, which is another than `channel` where that one did not reach the person. Null until it is sent,
-- and for what was sent before this column.
alter table message add column sent_channel text;
