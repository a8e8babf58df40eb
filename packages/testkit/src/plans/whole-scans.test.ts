import { expect, test } from '@jest/globals';
import { type PlanNode, wholeScans } from './whole-scans.ts';

const scan = (type: string, more: Partial<PlanNode> = {}): PlanNode => ({ 'Node Type': type, 'Relation Name': 'message', ...more });
const over = (type: string, ...Plans: PlanNode[]): PlanNode => ({ 'Node Type': type, Plans });
const texts = (plan: PlanNode) => wholeScans(plan).map(({ text }) => text);

test('a scan without an index condition is named, wherever it is in the plan', () => {
  const inner = scan('Index Scan', { 'Index Name': 'message_pkey' });
  const outer = scan('Index Scan', { 'Index Name': 'message_pkey', 'Index Cond': '(id = $1)' });
  expect(texts(over('Hash Join', outer, over('Hash', inner)))).toEqual(['Index Scan of message_pkey on message']);
  expect(texts(scan('Seq Scan'))).toEqual(['Seq Scan of message']);
  expect(texts(scan('Bitmap Heap Scan', { 'Recheck Cond': '(id = ANY ($1))' }))).toEqual([]);
  expect(texts({ 'Node Type': 'CTE Scan' })).toEqual([]);
});

test('an ordered index directly under a limit is read as far as the limit asks', () => {
  const ordered = scan('Index Scan', { 'Index Name': 'message_by_age' });
  expect(texts(over('Limit', over('LockRows', ordered)))).toEqual([]);
  expect(texts(over('Limit', over('Sort', ordered)))).toHaveLength(1);
  expect(texts(over('Limit', over('Nested Loop', ordered)))).toHaveLength(1);
  expect(texts(over('Limit', scan('Seq Scan')))).toEqual(['Seq Scan of message']);
  expect(texts(over('Limit', { ...ordered, Filter: '(at < clock_timestamp())' }))).toEqual(['Index Scan of message_by_age on message']);
});
