import { Notice } from '../../../components/index.ts';
import { money, plural } from '../../../logic/format.ts';
import { usePage } from '../../../shell/context.ts';
import { cashIn, paidText, timeOf } from './sale-texts.ts';
import type { Selling } from './selling.ts';
import { type KeptSale, refusedSales, type Waiting, waitingSales } from './waiting.ts';

interface Props {
  readonly waiting: Waiting;
  readonly selling: Selling;
  readonly zone: string | undefined;
}

export function WaitingNotice({ waiting, selling, zone }: Props) {
  const by = usePage().me.subject;
  const waits = waitingSales(waiting);
  const others = waits.filter((sale) => sale.by !== by);
  const own = waits.filter((sale) => sale.by === by);
  const inCash = own.filter((sale) => !sale.isOnlyAsItWas);
  const unsure = own.filter((sale) => sale.isOnlyAsItWas && !sale.trouble);
  return (
    <div className="sell-notices">
      {waiting.isUnstored && (
        <Notice text="This browser can store no more. Do not close this page before all that waits is sent: it would be lost." />
      )}
      {(inCash.length > 0 || others.length > 0 || unsure.length > 0) && (
        <p className="notice info" role="status">
          {inCash.length > 0 &&
            `${plural(inCash.length, 'sale')} in cash ${inCash.length === 1 ? 'waits' : 'wait'} for the line: ${sumOf(inCash)}. ${waiting.isDown ? 'Go on selling for cash: they are sent when it is back.' : 'They are being sent.'} `}
          {unsure.map(
            (sale) =>
              `${inFull(sale, zone)}: no response came, and it is not known whether it was recorded. It is sent again as it was, and recorded once. Do not type it again. `,
          )}
          {others.length > 0 &&
            `${plural(others.length, 'sale')} of another person ${others.length === 1 ? 'waits' : 'wait'} on this tablet, ${sumOf(others)} of them in cash: who sold it must sign in here.`}
        </p>
      )}
      {waiting.notices.length > 0 && (
        <Notice text={waiting.notices.join(' ')}>
          <button type="button" onClick={() => selling.waiting({ type: 'have read' })}>
            Have read
          </button>
        </Notice>
      )}
      {own
        .filter(({ trouble }) => trouble)
        .map((sale) => (
          <Notice
            key={sale.id}
            text={`${inFull(sale, zone)}: it is not known whether it was recorded. It is sent again as it was. ${sale.trouble}`}
          >
            <Drop {...{ sale, selling }} />
          </Notice>
        ))}
      {refusedSales(waiting).map((sale) => (
        <Notice key={sale.id} text={`${inFull(sale, zone)}, and refused. ${sale.refused}`}>
          {sale.by === by && (
            <button type="button" onClick={() => selling.waiting({ type: 'again', id: sale.id, key: selling.now().key, by })}>
              Send again
            </button>
          )}
          <Drop {...{ sale, selling }} />
        </Notice>
      ))}
    </div>
  );
}

const Drop = ({ sale, selling }: { readonly sale: KeptSale; readonly selling: Selling }) => (
  <button type="button" onClick={() => selling.waiting({ type: 'drop', id: sale.id })}>
    It is written down elsewhere
  </button>
);

const sumOf = (sales: readonly KeptSale[]): string => money(cashIn(sales), sales[0]?.currency ?? 'GBP');

const inFull = (sale: KeptSale, zone: string | undefined): string =>
  `Sold for ${money(sale.total, sale.currency)} ${paidText(sale)} at ${timeOf(sale, zone)} (${sale.text})`;
