export { columnTexts } from './order-column.tsx';
export { useFoundOrders } from './use-found-orders.ts';
