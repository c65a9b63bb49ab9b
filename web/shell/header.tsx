import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import {
  Bell,
  BellOff,
  CircleQuestionMark,
  Command,
  Inbox,
  LayoutGrid,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Server,
  Settings2,
  Sun,
  Workflow,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { aboutQuery, questionsQuery } from '../api/queries.ts';
import { Badge } from '../ui/marks.tsx';
import { Button, classNames, IconButton, Kbd, Tooltip } from '../ui/controls.tsx';
import { visibleText } from '../ui/text.tsx';
import { session } from '../api/session.ts';
import { useRoleReason } from '../ui/use-role.ts';
import { overlays } from './overlays.ts';
import { useLink } from '../api/hub.ts';
import { Menu, type MenuItem } from '../ui/boxes.tsx';
import { themeChoice, useChosenTheme } from '../ui/theme-choice.ts';
import { toast } from '../ui/toasts.tsx';
import { askForNotices, hasNotices, stopNotices } from './news.ts';

const SAID = {
  live: { word: 'Live', text: 'Updates are shown as they happen.', look: 'bg-ok' },
  connecting: { word: 'Connecting', text: 'The page is asking the server for what happens.', look: 'bg-warn' },
  lost: { word: 'Offline', text: 'The server does not answer. The page tries again by itself.', look: 'bg-bad' },
};

function ConnectionMark(): ReactNode {
  const { kind } = useLink();
  const { word, text, look } = SAID[kind];
  return (
    <Tooltip text={text}>
      <button type="button" className="flex h-7 cursor-default items-center gap-1.5 px-1.5 text-muted">
        <span aria-hidden className={classNames('size-2 rounded-full', look)} />
        <span className={kind === 'live' ? 'max-md:sr-only' : undefined}>{word}</span>
      </button>
    </Tooltip>
  );
}

const THEMES = [
  { word: 'system', label: 'Colours of the system', icon: <Monitor size={14} aria-hidden /> },
  { word: 'light', label: 'Light', icon: <Sun size={14} aria-hidden /> },
  { word: 'dark', label: 'Dark', icon: <Moon size={14} aria-hidden /> },
] as const;

function SettingsMenu(): ReactNode {
  const theme = useChosenTheme();
  const notices = useNoticesItem();
  const themes = THEMES.map(({ word, label, icon }) => ({
    label,
    icon,
    isChosen: theme === word,
    onSelect: () => themeChoice.choose(word),
  }));
  const help = {
    label: 'Keyboard shortcuts',
    icon: <CircleQuestionMark size={14} aria-hidden />,
    hint: <Kbd keys="?" />,
    onSelect: () => overlays.show('help'),
  };
  const trigger = (
    <IconButton label="Settings">
      <Settings2 size={15} aria-hidden />
    </IconButton>
  );
  return <Menu trigger={trigger} items={[...themes, notices, help, ...useSignOut()]} />;
}

/** On a team's server: who is signed in, and the way out. */
function useSignOut(): readonly MenuItem[] {
  const visitor = useQuery(aboutQuery).data?.visitor;
  if (visitor?.isTeam !== true) return [];
  return [
    {
      label: 'Sign out',
      icon: <LogOut size={14} aria-hidden />,
      hint: <span className="text-sm text-muted">{`${visitor.name}, ${visitor.role}`}</span>,
      onSelect: () => void session.leave(),
    },
  ];
}

function useNoticesItem(): MenuItem {
  const [isTelling, setTelling] = useState(hasNotices);
  const toggle = async (): Promise<void> => {
    if (isTelling) stopNotices();
    else if (!(await askForNotices())) {
      const hint = 'Its settings for this site say so.';
      toast({ tone: 'warn', title: 'The browser does not allow notifications here.', hint });
    }
    setTelling(hasNotices());
  };
  return {
    label: isTelling ? 'Stop notifications' : 'Notify me when a run needs me',
    icon: isTelling ? <BellOff size={14} aria-hidden /> : <Bell size={14} aria-hidden />,
    onSelect: () => void toggle(),
  };
}

export function Header(): ReactNode {
  const startReason = useRoleReason('start');
  const { data: questions = [] } = useQuery(questionsQuery);
  const { data: about } = useQuery(aboutQuery);
  // The page of a workflow has its own button for it.
  const isOnWorkflow = useLocation({ select: ({ pathname }) => pathname.startsWith('/workflows/') });
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
        {about?.hasWorkers === true && <Page to="/workers" label="Workers" icon={<Server size={15} aria-hidden />} />}
      </nav>
      <div className="ml-auto flex items-center gap-1">
        <ConnectionMark />
        <IconButton label="Commands (Ctrl K)" onClick={() => overlays.show('palette')}>
          <Command size={15} aria-hidden />
        </IconButton>
        <SettingsMenu />
        <Button
          kind={isOnWorkflow ? 'plain' : 'primary'}
          className="ml-1"
          disabledReason={startReason}
          onClick={() => overlays.start()}
        >
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
  readonly to: '/' | '/inbox' | '/workflows' | '/workers';
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
