-- A customer's language is null while it is unknown: then the store's is used.
alter table store add column language text not null default 'en', add column vat_number text;
alter table customer add column language text;
