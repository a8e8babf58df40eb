import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Icon, Loaded } from '../../../components/index.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { Live } from '../../../shell/live-mark.tsx';
import { useRead } from '../../../shell/queries.ts';
import { useStyle } from '../../../shell/use-style.ts';
import sellStyle from '../../../styles/sell.css' with { type: 'text' };
import { refusalText } from '../refusal-text.ts';
import { BasketPane } from './basket-pane.tsx';
import { ChoicesPane } from './choices-pane.tsx';
import { DrawerDialog } from './drawer-dialog.tsx';
import { MenuPane } from './menu-pane.tsx';
import { PayPane } from './pay-pane.tsx';
import { salesPath } from './sale-operations.ts';
import { leftToPay } from './sale-texts.ts';
import { SalesDialog } from './sales-dialog.tsx';
import { shownPayment } from './till.ts';
import { useSelling } from './use-selling.ts';
import { WaitingNotice } from './waiting-notice.tsx';

type Shown = 'paid' | 'open' | 'drawer' | null;

export default function SellPage() {
  return <Sell key={usePage().me.subject} />;
}

function Sell() {
  useStyle(sellStyle);
  const { id: storeId, name } = useStore();
  const { live } = usePage();
  const { till, waiting, selling, menu, zone } = useSelling();
  const [shown, show] = useState<Shown>(null);
  const [group, choose] = useState<string | null>(null);
  const open = useRead(salesPath(storeId, 'open'), { readAgainFor: { types: ['order.'], subjects: [storeId] } });
  const payment = shownPayment(till);
  const pane = payment ? 'pay' : till.choosing ? 'choices' : 'menu';
  const panes = useFocusOn(pane);
  useEffect(() => {
    document.title = `Sell · ${name} · Corner`;
  }, [name]);
  const units = till.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div className="sell">
      <header className="sell-head">
        <Link className="button" href={pathOf('/shop/:storeId/orders', { storeId })}>
          <Icon name="back" />
          Orders
        </Link>
        <h1>Sell</h1>
        <Live state={live} />
        <a className="button sell-to-basket" href="#basket">
          Basket <span className="count">{units}</span>
        </a>
        <button type="button" aria-haspopup="dialog" onClick={() => show('open')}>
          Open <span className="count">{open.data?.sales.length ?? 0}</span>
        </button>
        <button type="button" aria-haspopup="dialog" onClick={() => show('paid')}>
          Last sales
        </button>
        <button type="button" aria-haspopup="dialog" onClick={() => show('drawer')}>
          Drawer
        </button>
      </header>
      <WaitingNotice {...{ waiting, selling, zone }} />
      <div className="sell-panes">
        <section className="sell-pane" ref={panes} aria-label={{ menu: 'Menu', choices: 'Choices', pay: 'Payment' }[pane]}>
          <Loaded of={menu} lines={8}>
            {({ items, store }) => {
              const { currency } = store;
              if (payment) return <PayPane {...{ till, selling, currency }} />;
              if (till.choosing) return <ChoicesPane {...{ ...till.choosing, selling, currency }} />;
              return <MenuPane {...{ items, currency, group, choose, selling }} />;
            }}
          </Loaded>
        </section>
        <BasketPane
          {...{ till, selling }}
          currency={menu.data?.store.currency ?? 'GBP'}
          refusal={till.refused === null ? null : refusalText(till.refused, 'The sale')}
        />
      </div>
      {shown === 'drawer' && (
        <DrawerDialog currency={menu.data?.store.currency ?? 'GBP'} {...{ zone, waiting }} onClose={() => show(null)} />
      )}
      {(shown === 'paid' || shown === 'open') && (
        <SalesDialog
          state={shown}
          zone={zone}
          onClose={() => show(null)}
          onPay={(sale) => {
            show(null);
            selling.till({ type: 'pay', open: { id: sale.id, number: sale.order_number, total: leftToPay(sale) }, ...selling.now() });
          }}
        />
      )}
    </div>
  );
}

function useFocusOn(pane: string) {
  const panes = useRef<HTMLElement>(null);
  const before = useRef(pane);
  useEffect(() => {
    if (before.current === pane) return;
    before.current = pane;
    panes.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true });
  }, [pane]);
  return panes;
}
