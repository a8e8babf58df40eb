import { useState } from 'react';
import { Empty, Loaded, Notice, Page, SearchField } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { readAgain } from '../../../shell/queries.ts';
import { useStyle } from '../../../shell/use-style.ts';
import menuStyle from '../../../styles/menu.css' with { type: 'text' };
import { useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import { type ItemSwitch, type SwitchedItem, switchesPath, switchItem } from '../switch-operations.ts';
import { changeText, itemsFor, undoOf } from './menu.ts';
import { MenuItem } from './menu-item.tsx';
import { PauseSwitch, useSwitches } from './pause-switch.tsx';

export default function MenuPage() {
  useStyle(menuStyle);
  const store = useStore();
  const zone = useZone();
  const read = useSwitches();
  const [filters, change] = useFilters();
  const typed = filters.get('q') ?? '';
  const switches = useItemSwitches(store.id);
  return (
    <Page title="Menu" about="What is sold out, and what is left. It ends by itself, or when you change it.">
      <PauseSwitch />
      <SearchField label="Find an item" value={typed} onSearch={(q) => change({ q })} />
      <Notice text={switches.notice} />
      <Loaded of={read} lines={8}>
        {({ store: { currency }, items }) => {
          const found = itemsFor(typed, items);
          return found.length === 0 ? (
            <Empty title="No item has this in its name." />
          ) : (
            <ul className="menu-items">
              {found.map((item) => (
                <li key={item.menu_item_id}>
                  <MenuItem {...{ item, currency, zone }} isBusy={switches.busy.has(item.menu_item_id)} onSwitch={switches.turn} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Page>
  );
}

function useItemSwitches(storeId: string) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notice, setNotice] = useState<string | null>(null);
  const mark = (id: string, isBusy: boolean) =>
    setBusy((before) => new Set([...before].filter((other) => other !== id).concat(isBusy ? id : [])));
  const send = async (itemId: string, change: ItemSwitch): Promise<string> => {
    const item = await switchItem(storeId, itemId, change);
    await readAgain(switchesPath(storeId));
    return changeText(item);
  };
  const run = async (item: SwitchedItem, change: ItemSwitch) => {
    mark(item.menu_item_id, true);
    setNotice(null);
    try {
      announce(await send(item.menu_item_id, change), () => send(item.menu_item_id, undoOf(item, change)));
    } catch (error) {
      setNotice(refusalText(error, item.name));
    } finally {
      mark(item.menu_item_id, false);
    }
  };
  return { busy, notice, turn: (item: SwitchedItem, change: ItemSwitch) => void (busy.has(item.menu_item_id) || run(item, change)) };
}
