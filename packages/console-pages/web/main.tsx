import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { routes } from './routes.tsx';
import { Frame } from './shell/frame.tsx';
import { queries } from './shell/queries.ts';
import { Routes } from './shell/route.ts';
import './styles/main.css';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <Routes value={routes}>
        <Frame />
      </Routes>
    </QueryClientProvider>,
  );
