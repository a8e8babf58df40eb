create table effect (
  id bigint generated always as identity primary key,
  thing_id uuid not null,
  version bigint not null
);
