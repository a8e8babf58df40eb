import type { Me } from '@corner/console-api';
import { Component, lazy, type ReactNode, Suspense, useContext, useEffect, useMemo } from 'react';
import { type AroundNavHandler, Router } from 'wouter';
import { navigate, usePathname } from 'wouter/use-browser-location';
import { Page } from '../components/page.tsx';
import { Context } from '../components/page-context.ts';
import { Empty, Failure, Loading } from '../components/states.tsx';
import { matchRoute, pathOf } from '../logic/match-route.ts';
import { Announced } from './announce.tsx';
import { Bar } from './bar.tsx';
import { Leaving, leaveBy } from './leaving.tsx';
import { Navigation } from './navigation.tsx';
import { useMe } from './queries.ts';
import { mayOpen, placesOf, type Route, Routes } from './route.ts';
import { useLive } from './use-live.ts';

const SignIn = lazy(() => import('./sign-in.tsx'));

export function Frame() {
  const { data: me, error, isPending, refetch } = useMe();
  if (error?.status === 401)
    return (
      <Suspense fallback={<Loading />}>
        <SignIn />
      </Suspense>
    );
  if (me)
    return (
      <Router aroundNav={leaveOneEntry}>
        <SignedIn me={me} />
      </Router>
    );
  return <main className="alone">{isPending ? <Loading /> : <Failure error={error} retry={() => void refetch()} />}</main>;
}

/** A link to the current page adds no entry to the history. One to another page asks first while changes are not saved. */
const leaveOneEntry: AroundNavHandler = (go, to, options) => {
  const path = new URL(to, location.href).pathname;
  if (path !== location.pathname) return leaveBy(() => go(to, options));
  go(to, to === location.pathname + location.search ? { ...options, replace: true } : options);
};

function SignedIn({ me }: { readonly me: Me }) {
  const path = usePathname();
  const routes = useContext(Routes);
  const match = useMemo(() => matchRoute(routes, path), [routes, path]);
  const params = match?.params ?? none;
  const home = homeOf(routes, me);
  useEffect(() => {
    if (path === '/' && home !== '/') navigate(home, { replace: true });
  }, [path, home]);
  const store = me.stores.find(({ id }) => id === params.storeId);
  const mayFollowAll = me.permissions.includes('operator:read');
  const followed = store?.id ?? (mayFollowAll ? undefined : me.stores[0]?.id);
  const live = useLive(followed, mayFollowAll || followed !== undefined, match?.route.staysConnected ?? false);
  const places = useMemo(() => placesOf(routes, me, store), [routes, me, store]);
  const context = useMemo(() => ({ me, params, live, places }), [me, params, live, places]);
  const isBare = match?.route.isBare === true && store !== undefined;
  return (
    <Context value={context}>
      {!isBare && (
        <a className="skip" href="#main">
          Skip to the page
        </a>
      )}
      <div className={isBare ? 'frame bare' : 'frame'}>
        {!isBare && (
          <>
            <Bar store={store} route={match?.route} live={live} />
            <aside className="side">
              <Navigation store={store} current={match?.route} />
            </aside>
          </>
        )}
        <main id="main" tabIndex={-1}>
          <Caught key={path}>
            <Suspense fallback={<Loading />}>{pageOf(match?.route, me, store)}</Suspense>
          </Caught>
        </main>
      </div>
      <Announced />
      <Leaving />
    </Context>
  );
}

const none: Readonly<Record<string, string>> = {};

function homeOf(routes: readonly Route[], me: Me): string {
  if (me.opens_shops && me.stores.length === 0) return '/open';
  const first = routes.find((route) => route.icon && mayOpen(route, me));
  return first ? pathOf(first.path, { storeId: me.stores[0]?.id ?? '' }) : '/';
}

function pageOf(route: Route | undefined, me: Me, store: Me['stores'][number] | undefined): ReactNode {
  if (route?.path === '/' && !mayOpen(route, me)) return <NoStore />;
  if (route === undefined)
    return (
      <Page title="No such page">
        <Empty title="There is nothing at this address.">Choose a page of the navigation, or look for an id.</Empty>
      </Page>
    );
  if (!mayOpen(route, me, store) || (route.path.includes(':storeId') && !store))
    return (
      <Page title={route.title}>
        <Empty title="This page is not for you.">{whyNot(route, me, store !== undefined)}</Empty>
      </Page>
    );
  const Shown = route.page;
  return <Shown />;
}

const NoStore = () => (
  <Page title="No store yet">
    <Empty title="You work in no store.">
      An owner or a manager of a store invites you by mail: open the link of that mail, signed in as you are now.
    </Empty>
  </Page>
);

function whyNot({ area, needs, opens, directory = false }: Route, me: Me, hasRole: boolean): string {
  if (directory && !me.directory) return 'Your stores are set up in another system.';
  if (opens) return 'You cannot open a shop here.';
  if (area === 'Shop') return hasRole ? 'It is for managers and owners of the store.' : 'You have no role in this store.';
  return needs === undefined ? 'It is not served here.' : `It needs the permission ${needs}.`;
}

class Caught extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Page title="This page failed">
        <Failure error={this.state.error} retry={() => location.reload()} />
      </Page>
    );
  }
}
