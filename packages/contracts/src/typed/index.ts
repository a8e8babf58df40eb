export * from './cells.ts';
export * from './menu-entries.ts';
export { allergensOf, type Cell, categoryOf } from './menu-facts.ts';
export * from './menu-list.ts';
export { type Column, columnNames, type PastedColumns, type PastedItem, type UnknownColumn } from './menu-table.ts';
export * from './plain.ts';
export * from './prices.ts';
