import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Command, Inbox, LayoutGrid, Plus, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { aboutQuery, questionsQuery } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { ConnectionMark } from './connection-mark.tsx';
import { overlays } from './overlays.ts';
import { SettingsMenu } from './settings-menu.tsx';

export function Header(): ReactNode {
  const { data: questions = [] } = useQuery(questionsQuery);
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 md:px-3">
      <Project />
      <nav aria-label="Pages" className="flex items-center gap-0.5 md:ml-3">
        <Page to="/" label="Board" icon={<LayoutGrid size={15} aria-hidden />} />
        <Page to="/inbox" label="Inbox" icon={<Inbox size={15} aria-hidden />}>
          {questions.length > 0 && (
            <Badge tone="warn">
              {questions.length}
              <span className="sr-only"> open questions</span>
            </Badge>
          )}
        </Page>
        <Page to="/workflows" label="Workflows" icon={<Workflow size={15} aria-hidden />} />
      </nav>
      <div className="ml-auto flex items-center gap-1">
        <ConnectionMark />
        <IconButton label="Commands (Ctrl K)" onClick={() => overlays.show('palette')}>
          <Command size={15} aria-hidden />
        </IconButton>
        <SettingsMenu />
        <Button kind="primary" className="ml-1" onClick={() => overlays.start()}>
          <Plus size={14} aria-hidden />
          <span className="max-md:sr-only">Start a run</span>
        </Button>
      </div>
    </header>
  );
}

function Project(): ReactNode {
  const { data: about } = useQuery(aboutQuery);
  const name = about?.project.split('/').findLast((part) => part !== '') ?? '';
  return (
    <Link
      to="/"
      className="flex min-w-0 items-center gap-2"
      title={visibleText(about?.project ?? '')}
      aria-label={`Troupe, ${visibleText(name)}`}
    >
      <img src="/favicon.svg" alt="" width={18} height={18} />
      <span className="hidden max-w-48 truncate font-semibold md:block">{visibleText(name)}</span>
    </Link>
  );
}

interface PageProps {
  readonly to: '/' | '/inbox' | '/workflows';
  readonly label: string;
  readonly icon: ReactNode;
  readonly children?: ReactNode;
}

function Page({ to, label, icon, children }: PageProps): ReactNode {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ className: 'bg-hover text-text', 'aria-current': 'page' }}
      inactiveProps={{ className: 'text-muted' }}
      className="flex h-7 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-text"
    >
      {icon}
      <span className="max-md:sr-only">{label}</span>
      {children}
    </Link>
  );
}
