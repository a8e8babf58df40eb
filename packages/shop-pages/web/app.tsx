import { Route, Switch } from 'wouter-preact';
import MenuPage from './pages/menu/index.tsx';
import { lazyPage } from './shell/lazy-page.tsx';
import { Page } from './shell/page.tsx';
import { lastStoreCode } from './shell/use-store.ts';
import { type LoadedTexts, useTexts, WithTexts } from './texts/use-texts.tsx';

// The menu, which most visits begin with, is in the first files: each further file takes a round trip.
const BasketPage = lazyPage(() => import('./pages/basket/index.tsx'));
const PayPage = lazyPage(() => import('./pages/pay/index.tsx'));
const OrderPage = lazyPage(() => import('./pages/order/index.tsx'));
const OrdersPage = lazyPage(() => import('./pages/order/orders.tsx'));
const CardPage = lazyPage(() => import('./pages/card/index.tsx'));
const QueuePage = lazyPage(() => import('./pages/queue/index.tsx'));
const MePage = lazyPage(() => import('./pages/me/index.tsx'));
const TapPage = lazyPage(() => import('./pages/tap/index.tsx'));
const SignedInPage = lazyPage(() => import('./pages/signed-in/index.tsx'));
const HomePage = lazyPage(() => import('./pages/home/index.tsx'));

export const App = ({ first }: { readonly first: LoadedTexts }) => (
  <WithTexts first={first}>
    <Switch>
      <Route path="/">
        <HomePage />
      </Route>
      <Route path="/s/:code">{({ code }) => <MenuPage key={code} code={code} />}</Route>
      <Route path="/s/:code/basket">{({ code }) => <BasketPage key={code} code={code} />}</Route>
      <Route path="/s/:code/pay/:attempt">{({ code, attempt }) => <PayPage key={attempt} code={code} attemptId={attempt} />}</Route>
      <Route path="/s/:code/card">{({ code }) => <CardPage key={code} code={code} />}</Route>
      <Route path="/s/:code/queue">{({ code }) => <QueuePage key={code} code={code} />}</Route>
      <Route path="/s/:code/me">{({ code }) => <MePage key={code} code={code} />}</Route>
      <Route path="/orders">
        <OrdersPage />
      </Route>
      <Route path="/orders/:id">{({ id }) => <OrderPage key={id} id={id} />}</Route>
      <Route path="/signed-in">
        <SignedInPage />
      </Route>
      <Route path="/t">
        <TapPage />
      </Route>
      <Route>
        <NoPage />
      </Route>
    </Switch>
  </WithTexts>
);

function NoPage() {
  const { shell } = useTexts();
  return (
    <Page title={shell.noSuchPage} code={lastStoreCode()}>
      <p>{shell.noSuchPageHint}</p>
    </Page>
  );
}
