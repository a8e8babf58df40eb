import type { Me, SignedOut } from '@corner/console-api';
import { useState } from 'react';
import { Link } from 'wouter';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { type Theme, useTheme } from '../components/use-theme.ts';
import { pathOf } from '../logic/match-route.ts';
import { RequestFailed } from '../logic/refusal.ts';
import { announce } from './announce.tsx';
import { usePage } from './context.ts';
import { forgetDrafts } from './drafts.ts';
import type { LiveState } from './follow-live.ts';
import { goTo, leaveBy } from './leaving.tsx';
import { Live } from './live-mark.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { forgetRecent } from './recent.ts';
import { request } from './request.ts';
import type { Route } from './route.ts';

type Store = Me['stores'][number];

export function Bar({
  store,
  route,
  live,
}: {
  readonly store: Store | undefined;
  readonly route: Route | undefined;
  readonly live: LiveState;
}) {
  const { me } = usePage();
  const [menu, setMenu] = useState(false);
  return (
    <header className="bar">
      <button type="button" className="plain only-phone" onClick={() => setMenu(true)} aria-label="Menu" aria-haspopup="dialog">
        <Icon name="menu" />
      </button>
      <Link className="brand" href="/">
        <span className="brand-mark" aria-hidden="true" />
        Corner
      </Link>
      {me.stores.length > 0 ? <StoreSwitch store={store} route={route} /> : null}
      <span className="bar-gap" />
      <Palette store={store} />
      <Live state={live} />
      <div className="only-desk">
        <Person />
      </div>
      {menu ? (
        <Dialog title="Menu" className="drawer" onClose={() => setMenu(false)}>
          <button type="button" className="plain close" onClick={() => setMenu(false)} aria-label="Close">
            <Icon name="close" />
          </button>
          <Navigation store={store} current={route} onFollow={() => setMenu(false)} />
          <Person />
        </Dialog>
      ) : null}
    </header>
  );
}

function StoreSwitch({ store, route }: { readonly store: Store | undefined; readonly route: Route | undefined }) {
  const { me, params } = usePage();
  const [only] = me.stores;
  if (me.stores.length === 1) return <span className="store">{only?.name}</span>;
  const choose = (storeId: string) => goTo(pathOf(route?.area === 'Shop' ? route.path : '/shop/:storeId/orders', { ...params, storeId }));
  return (
    <label className="store">
      <span className="unseen">Store</span>
      <select value={store?.id ?? only?.id} onChange={(event) => choose(event.target.value)}>
        {me.stores.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const themes = [
  ['system', 'device', 'As the device'],
  ['light', 'sun', 'Light'],
  ['dark', 'moon', 'Dark'],
] as const;

function Person() {
  const { me } = usePage();
  const [theme, setTheme] = useTheme();
  const signOut = async () => {
    try {
      const { to } = await request<SignedOut>('/sign-out', { method: 'POST' });
      forgetRecent();
      forgetDrafts();
      location.assign(to);
    } catch (error) {
      const isGone = error instanceof RequestFailed && error.code === 'UPSTREAM_UNAVAILABLE';
      if (isGone) forgetRecent();
      if (isGone) forgetDrafts();
      const message = error instanceof Error ? error.message : '';
      announce(isGone ? message : `Signing out failed, and you may still be signed in. ${message}`);
    }
  };
  return (
    <div className="person">
      <fieldset className="themes">
        <legend className="unseen">Theme</legend>
        {themes.map(([value, icon, label]) => (
          <button
            key={value}
            type="button"
            className="plain"
            aria-pressed={theme === value}
            aria-label={label}
            title={label}
            onClick={() => setTheme(value satisfies Theme)}
          >
            <Icon name={icon} />
          </button>
        ))}
      </fieldset>
      <span className="person-name">
        {me.name}
        <span className="quiet"> {me.kind}</span>
      </span>
      <button type="button" className="small" onClick={() => leaveBy(() => void signOut())}>
        Sign out
      </button>
    </div>
  );
}
