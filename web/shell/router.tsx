import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { parseBoardSearch } from '../board/board-search.ts';
import { BoardPage } from '../board/board-page.tsx';
import { parseCompared } from '../compare/parse-compare.ts';
import { parseSelection } from '../model/selection.ts';
import { RunScreen } from '../run/run-page.tsx';
import { Frame } from './frame.tsx';
import { MissingPage } from './missing-page.tsx';
import { BrokenPage } from './broken-page.tsx';

const root = createRootRoute({ component: Frame, notFoundComponent: MissingPage, errorComponent: BrokenPage });

const board = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: BoardPage,
  validateSearch: parseBoardSearch,
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  component: RunScreen,
  validateSearch: parseSelection,
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../board/inbox-page.tsx'), 'InboxScreen'),
});

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/workflows',
  component: lazyRouteComponent(() => import('../workflow/workflows-page.tsx'), 'WorkflowsPage'),
});

const workflow = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$name',
  component: lazyRouteComponent(() => import('../workflow/workflow-view.tsx'), 'WorkflowView'),
  validateSearch: parseSelection,
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  component: lazyRouteComponent(() => import('../compare/compare-page.tsx'), 'ComparePage'),
  validateSearch: parseCompared,
});

export const router = createRouter({
  routeTree: root.addChildren([board, run, inbox, workflows, workflow, compare]),
  defaultPreload: false,
  defaultErrorComponent: BrokenPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
