import { render } from 'preact';
import { App } from './app.tsx';
import { keepReadsFresh } from './session/use-read.ts';
import { loadFirstTexts } from './texts/use-texts.tsx';
import './styles/main.css';

const afterFirstPageMs = 3_000;

const root = document.getElementById('root');
if (root) {
  keepReadsFresh();
  void loadFirstTexts().then((first) => {
    root.replaceChildren();
    render(<App first={first} />, root);
  });
  addEventListener('load', () => setTimeout(() => void navigator.serviceWorker?.register('/sw.js').catch(() => {}), afterFirstPageMs));
}
