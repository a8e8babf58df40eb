-- Events told of a customer's wishes at a store are numbered here, under the row's lock.
alter table marketing_ask add column told bigint not null default 0;
