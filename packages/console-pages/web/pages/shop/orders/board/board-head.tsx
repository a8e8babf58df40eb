import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Dialog, Icon, Switch } from '../../../../components/index.ts';
import { pathOf } from '../../../../logic/match-route.ts';
import { usePage, useStore } from '../../../../shell/context.ts';
import { Live } from '../../../../shell/live-mark.tsx';
import type { Order } from '../../operations.ts';
import { timeText } from '../../timing.ts';
import type { Step } from '../order-actions.ts';
import type { useBell } from '../use-bell.ts';
import { leaveFullScreen, toggleFullScreen } from './full-screen.ts';
import { beyondText, callOf, type ToMake, toMakeText } from './tickets.ts';

type Picked = ReadonlySet<string> | null;

interface Props {
  readonly tickets: readonly Order[];
  /**
   * `returned` are cancelled orders, and those refunded in full. `news` is the number of arrived orders that no one has touched; `beyond`
   * are the orders beyond the first screen.
   */
  readonly returned: readonly Order[];
  readonly news: number;
  readonly room: { readonly canUnfold: boolean; turn(): void };
  readonly beyond: readonly Order[];
  readonly timeZone: string | undefined;
  readonly picked: Picked;
  pick(picked: Picked): void;
  take(orders: readonly Order[]): void;
  stepOf(order: Order): Step | null;
  onOpen(order: Order): void;
  readonly bell: ReturnType<typeof useBell>;
  readonly skipsStart: boolean;
  setSkipsStart(skips: boolean): void;
}

export function BoardHead(props: Props) {
  const { tickets, returned, news, picked, pick, room, beyond, timeZone } = props;
  const { id: storeId, name } = useStore();
  const { live } = usePage();
  const [shown, show] = useState<'cancelled' | 'options' | null>(null);
  const ready = tickets.filter(({ fulfilment_status }) => fulfilment_status === 'ready').length;
  useEffect(() => {
    document.title = `${news > 0 ? `(${news}) ` : ''}Board · ${name} · Corner`;
  }, [news, name]);
  return (
    <header className="kitchen-head">
      <Link className="button" href={pathOf('/shop/:storeId/orders', { storeId })} onClick={leaveFullScreen}>
        <Icon name="back" />
        Orders
      </Link>
      <h1>
        <span className="unseen">Board: </span>
        {tickets.length - ready} to make, {ready} ready
      </h1>
      <Live state={live} />
      {(beyond.length > 0 || room.canUnfold) && (
        <button type="button" className="kitchen-beyond" onClick={room.turn}>
          {beyond.length > 0 ? beyondText(beyond, (instant) => timeText(instant, timeZone)) : 'Whole tickets'}
        </button>
      )}
      {picked === null ? (
        <>
          <button type="button" onClick={() => pick(new Set())}>
            Several
          </button>
          <button type="button" aria-haspopup="dialog" onClick={() => show('cancelled')}>
            Cancelled <span className="count">{returned.length}</span>
          </button>
          <button type="button" aria-haspopup="dialog" onClick={() => show('options')}>
            Options
          </button>
        </>
      ) : (
        <Several {...props} picked={picked} />
      )}
      {shown === 'cancelled' && <Cancelled {...props} onClose={() => show(null)} />}
      {shown === 'options' && <Options {...props} onClose={() => show(null)} />}
    </header>
  );
}

function Several({ tickets, picked, pick, take, stepOf }: Props & { readonly picked: ReadonlySet<string> }) {
  const chosen = tickets.filter(({ id }) => picked.has(id));
  const toReady = tickets.filter((order) => stepOf(order)?.to === 'ready');
  const labels = new Set(chosen.map((order) => stepOf(order)?.label));
  const [label] = labels.size === 1 ? labels : ['Next step'];
  return (
    <>
      <button type="button" disabled={toReady.length === 0} onClick={() => take(toReady)}>
        All ready <span className="count">{toReady.length}</span>
      </button>
      <button type="button" className="primary" disabled={chosen.length === 0} onClick={() => take(chosen)}>
        {label} <span className="count">{chosen.length}</span>
      </button>
      <button type="button" onClick={() => pick(null)}>
        Done
      </button>
    </>
  );
}

function Cancelled({ returned, onOpen, onClose }: Props & { onClose(): void }) {
  const { code } = useStore();
  return (
    <Dialog title="Cancelled or refunded" className="drawer" onClose={onClose}>
      <CloseButton onClose={onClose} />
      {returned.length === 0 && <p className="quiet">None.</p>}
      <ul className="kitchen-cancelled">
        {returned.map((order) => (
          <li key={order.id}>
            <button type="button" aria-haspopup="dialog" onClick={() => onOpen(order)}>
              {callOf(order, code)}
            </button>
            <span>
              {order.customer_name} {order.items.map((item) => `${item.quantity} × ${item.name}`).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const Options = ({ bell, skipsStart, setSkipsStart, onClose }: Props & { onClose(): void }) => (
  <Dialog title="Options of this board" className="drawer" onClose={onClose}>
    <CloseButton onClose={onClose} />
    <div className="kitchen-options">
      <Switch label="Skip Start: one press makes an order ready" isOn={skipsStart} onTurn={setSkipsStart} />
      <Switch label="Sound for new orders" isOn={bell.isOn} onTurn={bell.turn} />
      <button type="button" onClick={() => void toggleFullScreen()}>
        Full screen, or back
      </button>
      <h3>Keys</h3>
      <p>
        <kbd>1</kbd> to <kbd>9</kbd> and <kbd>0</kbd> choose an order, the arrows the one beside it. <kbd>Enter</kbd> or <kbd>Space</kbd>{' '}
        takes its next step. A bump bar sends the same keys.
      </p>
    </div>
  </Dialog>
);

const CloseButton = ({ onClose }: { onClose(): void }) => (
  <button type="button" className="plain close" onClick={onClose} aria-label="Close">
    <Icon name="close" />
  </button>
);

export const Summary = ({ of }: { readonly of: readonly ToMake[] }) =>
  of.length === 0 ? null : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="to-make" tabIndex={0} aria-label="To make now">
      <ul>
        {of.map((item) => (
          <li key={item.name}>{toMakeText(item)}</li>
        ))}
      </ul>
    </section>
  );
