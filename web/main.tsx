import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/theme.css';
import { session, tokenIn } from './api/session.ts';
import { App } from './shell/app.tsx';
import { reloadPage } from './shell/new-page.ts';
import { themeChoice } from './ui/theme-choice.ts';

themeChoice.apply();

// The token leaves the address at once: it must not stand in a history, a bookmark or a picture of the screen.
const token = tokenIn(location.hash);
if (token !== null) history.replaceState(null, '', location.pathname + location.search);
void session.open(token);

window.addEventListener('vite:preloadError', () => void reloadPage());

const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
