import { render } from 'preact';
import { App } from './app.tsx';
import './styles/main.css';

const root = document.getElementById('root');
if (root) render(<App />, root);
