import { Route, Switch } from 'wouter-preact';

/** The pages by their addresses. */
export function App() {
  return (
    <Switch>
      <Route>
        <main>
          <h1>Corner</h1>
        </main>
      </Route>
    </Switch>
  );
}
