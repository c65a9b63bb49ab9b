import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Link,
} from '@tanstack/react-router';
import { parseBoardSearch } from '../board/board.ts';
import { BoardPage } from '../board/board-page.tsx';
import { parseCompared } from '../compare/parse-compare.ts';
import { parseSelection } from '../model/selection.ts';
import { RunScreen } from '../run/run-page.tsx';
import { Frame } from './frame.tsx';
import type { ReactNode } from 'react';
import { Empty } from '../ui/boxes.tsx';
import { Button } from '../ui/controls.tsx';
import { visibleText } from '../ui/text.tsx';

function MissingPage(): ReactNode {
  return (
    <Empty
      title="There is no such page"
      why="The address may have been cut, or it is of another version of Troupe."
      action={
        <Link to="/" className="text-accent underline">
          Go to the board
        </Link>
      }
    />
  );
}

/** A part of the page failed: nothing was lost, since nothing is kept here. */
function BrokenPage({ error, reset }: ErrorComponentProps): ReactNode {
  return (
    <Empty
      title="This page has a fault"
      why={
        <>
          <p>Your runs are not touched by it. What went wrong:</p>
          <pre className="mt-2 max-h-40 overflow-auto rounded-md bg-sunken p-2 text-left text-sm whitespace-pre-wrap">
            {visibleText(error instanceof Error ? error.message : String(error))}
          </pre>
        </>
      }
      action={
        <Button kind="primary" onClick={reset}>
          Try again
        </Button>
      }
    />
  );
}

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

const workers = createRoute({
  getParentRoute: () => root,
  path: '/workers',
  component: lazyRouteComponent(() => import('../workers/workers-page.tsx'), 'WorkersPage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  component: lazyRouteComponent(() => import('../compare/compare-page.tsx'), 'ComparePage'),
  validateSearch: parseCompared,
});

export const router = createRouter({
  routeTree: root.addChildren([board, run, inbox, workflows, workflow, workers, compare]),
  defaultPreload: false,
  defaultErrorComponent: BrokenPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
