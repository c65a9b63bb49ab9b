import { Outlet } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { StartDialog } from '../board/start-dialog.tsx';
import { listenToKeys } from '../ui/use-shortcut.ts';
import { Attention } from './attention.tsx';
import { Header } from './header.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { LostBanner } from './lost-banner.tsx';
import { Palette } from './palette.tsx';

export function Frame(): ReactNode {
  useEffect(listenToKeys, []);
  return (
    <div className="flex h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <Header />
      <LostBanner />
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none">
        <Outlet />
      </main>
      <Palette />
      <HelpDialog />
      <StartDialog />
      <Attention />
    </div>
  );
}
