/**
 * Whether the statements of a migration's SQL file run outside a transaction, to build indexes while a table is written to: its first line is
 * `-- outside a transaction`, and nothing else.
 */
export const runsOutsideTransaction = (sql: string): boolean => /^-- outside a transaction\r?\n/.test(sql);
