import { Notice } from '../../../components/index.ts';
import { money, plural } from '../../../logic/format.ts';
import { usePage } from '../../../shell/context.ts';
import { timeOf } from './sale-texts.ts';
import type { Selling } from './selling.ts';
import { refusedSales, type Waiting, waitingSales } from './waiting.ts';

/** Says that the line is down, which sales wait for it, which were recorded otherwise than they were made, and which a person has to deal with. */
export function WaitingNotice({
  waiting,
  selling,
  zone,
}: {
  readonly waiting: Waiting;
  readonly selling: Selling;
  readonly zone: string | undefined;
}) {
  const by = usePage().me.subject;
  const waits = waitingSales(waiting);
  const others = waits.filter((sale) => sale.by !== by).length;
  const own = waits.length - others;
  return (
    <div className="sell-notices">
      {(own > 0 || others > 0) && (
        <p className="notice info" role="status">
          {own > 0 &&
            `${plural(own, 'sale')} in cash ${own === 1 ? 'waits' : 'wait'} for the line. ${waiting.isDown ? 'Go on selling for cash: they are sent when it is back.' : 'They are being sent.'} `}
          {others > 0 &&
            `${plural(others, 'sale')} of another person ${others === 1 ? 'waits' : 'wait'} on this tablet: who sold it must sign in here.`}
        </p>
      )}
      {waiting.notices.length > 0 && (
        <Notice text={waiting.notices.join(' ')}>
          <button type="button" onClick={() => selling.waiting({ type: 'have read' })}>
            Have read
          </button>
        </Notice>
      )}
      {refusedSales(waiting).map((sale) => (
        <Notice
          key={sale.id}
          text={`Sold for ${money(sale.total, sale.currency)} in cash at ${timeOf(sale, zone)}, and refused. ${sale.refused}`}
        >
          {sale.by === by && (
            <button type="button" onClick={() => selling.waiting({ type: 'again', id: sale.id, key: selling.now().key, by })}>
              Send again
            </button>
          )}
          <button type="button" onClick={() => selling.waiting({ type: 'drop', id: sale.id })}>
            It is written down elsewhere
          </button>
        </Notice>
      ))}
    </div>
  );
}
