export * from './cells.ts';
export * from './menu-list.ts';
export type { PastedColumns } from './menu-table.ts';
export * from './plain.ts';
export * from './prices.ts';
