import { busiestCustomer, fillStamps, stampStore, typicalCustomer } from '../plans/fill-stamps.ts';
import { blocksOf, explain, wastedReads } from '../plans/query-plan.ts';
import { prepare } from '../plans/sent-statement.ts';
import { stampStatements } from '../plans/service-statements.ts';
import { type Finding, spread } from '../report/figures.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { onOwnDatabase } from '../system/own-database.ts';
import type { PartOptions } from './part.ts';

export async function measureCards(bench: BenchSystem, { log }: PartOptions): Promise<Finding[]> {
  return await onOwnDatabase(bench, 'loyalty', async (client) => {
    const startedAt = performance.now();
    await fillStamps(client, 1_000_000);
    log(`1,000,000 stamps after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    const findings: Finding[] = [];
    for (const [customer, customerId] of Object.entries({
      'a typical customer': typicalCustomer,
      'the busiest customer': busiestCustomer,
    })) {
      for (const [name, statement] of Object.entries(await stampStatements(stampStore, customerId))) {
        const execute = await prepare(client, statement);
        for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
          await client.query(`set plan_cache_mode = ${mode}`);
          const plan = await explain(client, execute);
          // The index for the daily limit also finds the stamps that orders earned that day, at most this many.
          const faults = wastedReads(plan, ['stamp', 'order_ledger', 'voucher'], name === 'limits' ? 100 : 0);
          if (faults.length > 0) throw new Error(`the plan of ${name} reads too much: ${faults.join('; ')}\n${plan.text}`);
          log(`${name} of ${customer}, ${mode}: ${blocksOf(plan)} blocks, ${plan.ms.toFixed(2)} ms`);
          if (mode === 'force_generic_plan')
            findings.push({ what: `${name} of ${customer}, 1,000,000 stamps`, unit: 'blocks', figure: spread([blocksOf(plan)], 'less') });
        }
      }
    }
    return findings;
  });
}
