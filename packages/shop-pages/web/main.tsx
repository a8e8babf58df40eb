import { render } from 'preact';
import { App } from './app.tsx';
import { keepReadsFresh } from './session/use-read.ts';
import './styles/main.css';

const root = document.getElementById('root');
if (root) {
  keepReadsFresh();
  render(<App />, root);
  // After the first page, so that its files come first. A page without https has no service worker.
  addEventListener('load', () => void navigator.serviceWorker?.register('/sw.js').catch(() => {}));
}
