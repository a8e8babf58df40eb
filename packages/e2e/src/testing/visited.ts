import type pg from 'pg';

export const visited = (database: pg.Client, storeId: string, customerId: string) =>
  database.query('insert into loyalty.card (store_id, customer_id, customer_since, last_visit_at) values ($1, $2, now(), now())', [
    storeId,
    customerId,
  ]);
