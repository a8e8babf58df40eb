import { render } from 'preact';
import { App } from './app.tsx';
import { keepReadsFresh } from './session/use-read.ts';
import { loadFirstTexts } from './texts/use-texts.tsx';
import './styles/main.css';

/** Milliseconds in which the first page has its data, also on a slow network. */
const afterFirstPageMs = 3_000;

const root = document.getElementById('root');
if (root) {
  keepReadsFresh();
  void loadFirstTexts().then((first) => {
    root.replaceChildren();
    render(<App first={first} />, root);
  });
  // After the first page, since a service worker loads all files at once. A page without https has none.
  addEventListener('load', () => setTimeout(() => void navigator.serviceWorker?.register('/sw.js').catch(() => {}), afterFirstPageMs));
}
