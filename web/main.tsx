import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/theme.css';
import { session, tokenIn } from './api/session.ts';
import { App } from './shell/app.tsx';
import { themeChoice } from './ui/theme-choice.ts';

themeChoice.apply();

// The token leaves the address at once: it must not stand in a history, a bookmark or a picture of the screen.
const token = tokenIn(location.hash);
if (token !== null) history.replaceState(null, '', location.pathname + location.search);
void session.open(token);

// A part of the page that is not there any more: Troupe was updated under it. Only a new page fits the new server.
window.addEventListener('vite:preloadError', (event) => {
  const before = Number(sessionStorage.getItem('troupe-reloaded') ?? 0);
  if (Date.now() - before < 10_000) return;
  sessionStorage.setItem('troupe-reloaded', String(Date.now()));
  event.preventDefault();
  location.reload();
});

const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
