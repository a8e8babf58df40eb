import { useEffect, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { addLine, type BasketLine, checkLines, countOf, type MenuItem, subtotalOf, tableOf } from '../../order/basket.ts';
import { useBasket } from '../../order/basket-store.ts';
import { useRead } from '../../session/use-read.ts';
import { FindUs } from '../../shell/find-us.tsx';
import { Page } from '../../shell/page.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ItemSheet } from './item-sheet.tsx';
import { MenuList } from './menu-list.tsx';
import { StoreState } from './store-state.tsx';

export default function MenuPage({ code }: { readonly code: string }) {
  const texts = useTexts();
  const { store: found, ...ofStore } = useStore(code);
  const read = useRead('/api/v1/orders/stores/{store_id}/menu', found ? { params: { path: { store_id: found.id } } } : null, {
    keep: true,
    ahead: true,
  });
  const [open, setOpen] = useState<MenuItem>();
  const [added, setAdded] = useState<string>();
  const [basket, change] = useBasket(code);
  useTable(code);
  const store = read.data?.store ?? found;
  const error = ofStore.error ?? read.error;
  const again = () => {
    ofStore.again();
    read.again();
  };
  const add = (line: BasketLine) => {
    change((before) => addLine(before, line));
    setAdded(line.name);
  };
  if (found === null) return <NoSuchShop />;
  const table = tableOf(basket, Date.now());
  return (
    <Page
      title={store?.name ?? texts.menu.title}
      code={code}
      lead={store ? <StoreState store={store} table={table} /> : null}
      foot={
        read.data && countOf(basket) > 0 ? <BasketLink code={code} items={read.data.items} currency={read.data.store.currency} /> : null
      }
    >
      {error !== undefined && (read.data ? <Notice>{texts.shell.offline}</Notice> : <ErrorNotice error={error} again={again} />)}
      {read.data ? (
        <MenuList items={read.data.items} currency={read.data.store.currency} onOpen={setOpen} />
      ) : (
        error === undefined && <Skeleton lines={6} />
      )}
      <FindUs store={read.data?.store} />
      <p class="only-read-out" role="status">
        {added === undefined ? '' : texts.menu.added(added)}
      </p>
      {open && read.data ? (
        <ItemSheet item={open} currency={read.data.store.currency} onClose={() => setOpen(undefined)} onAdd={add} />
      ) : null}
    </Page>
  );
}

function NoSuchShop() {
  const { shell } = useTexts();
  return (
    <Page title={shell.noSuchShop}>
      <p>{shell.noSuchPageHint}</p>
    </Page>
  );
}

function useTable(code: string): void {
  const [search] = useSearchParams();
  const [, change] = useBasket(code);
  const table = search.get('table')?.trim().slice(0, 16);
  useEffect(() => {
    if (table) change((basket) => ({ ...basket, table, table_at: Date.now() }));
  }, [table, change]);
}

interface BasketLinkProps {
  readonly code: string;
  readonly items: readonly MenuItem[];
  readonly currency: string;
}

function BasketLink({ code, items, currency }: BasketLinkProps) {
  const { menu } = useTexts();
  const { money } = useFormat();
  const [basket] = useBasket(code);
  return (
    <Link href={`/s/${encodeURIComponent(code)}/basket`} class="button main basket-link">
      <span>{menu.viewBasket}</span>
      <span>
        {menu.itemsInBasket(countOf(basket))} · {money(subtotalOf(checkLines(basket, items)), currency)}
      </span>
    </Link>
  );
}
