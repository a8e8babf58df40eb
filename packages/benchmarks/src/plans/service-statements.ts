import { readsOfStamps } from '@corner/loyalty/benchmarks';
import { readLivePage, readOrder, readOrderList } from '@corner/orders/benchmarks';
import { firstStatementOf, type Statement } from './sent-statement.ts';

export type ListOrdersQuery = Parameters<typeof readOrderList>[0];

export const listOrdersStatement = (query: ListOrdersQuery): Promise<Statement> => firstStatementOf(readOrderList(query));

export const livePageStatement = (...page: Parameters<typeof readLivePage>): Promise<Statement> => firstStatementOf(readLivePage(...page));

export const getOrderStatement = (storeId: string, orderId: string): Promise<Statement> => firstStatementOf(readOrder(storeId, orderId));

export async function stampStatements(storeId: string, customerId: string): Promise<Readonly<Record<string, Statement>>> {
  const statements: Record<string, Statement> = {};
  for (const [name, read] of Object.entries(readsOfStamps(storeId, customerId))) statements[name] = await firstStatementOf(read);
  return statements;
}
