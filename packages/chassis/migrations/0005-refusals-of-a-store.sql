-- The store that a refused request named, so that what a store refused can be counted.
alter table refusal add column store_id uuid;
create index refusal_of_store on refusal (store_id, at) where store_id is not null;
