import { readsOfStamps } from '@corner/loyalty/benchmarks';
import { readLivePage, readOrder, readOrderList } from '@corner/orders/benchmarks';
import { firstStatementOf, type Statement } from './sent-statement.ts';

export type ListOrdersQuery = Parameters<typeof readOrderList>[0];

export const listOrdersStatement = (query: ListOrdersQuery): Promise<Statement> => firstStatementOf(readOrderList(query));

/** The statement that orders sends for a further page of a store's live orders, after an order's due time and id. */
export const livePageStatement = (...page: Parameters<typeof readLivePage>): Promise<Statement> => firstStatementOf(readLivePage(...page));

export const getOrderStatement = (storeId: string, orderId: string): Promise<Statement> => firstStatementOf(readOrder(storeId, orderId));

/** The statements that loyalty sends to read a customer's state, a card and the store's stamps, by name. */
export async function stampStatements(storeId: string, customerId: string): Promise<Readonly<Record<string, Statement>>> {
  const statements: Record<string, Statement> = {};
  for (const [name, read] of Object.entries(readsOfStamps(storeId, customerId))) statements[name] = await firstStatementOf(read);
  return statements;
}
