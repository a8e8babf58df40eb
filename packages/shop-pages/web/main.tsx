import { render } from 'preact';
import { App } from './app.tsx';
import { keepReadsFresh } from './session/use-read.ts';
import './styles/main.css';

const root = document.getElementById('root');
if (root) {
  keepReadsFresh();
  render(<App />, root);
}
