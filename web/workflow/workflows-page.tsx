import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { WorkflowLine } from '../../src/protocol/web/workflow-page.ts';
import { workflowsQuery } from '../api/queries.ts';
import { overlays } from '../shell/overlays.ts';
import { useRoleReason } from '../ui/use-role.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Badge } from '../ui/marks.tsx';
import { Button, TextField } from '../ui/controls.tsx';
import { Empty } from '../ui/boxes.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { visibleText } from '../ui/text.tsx';

/** The workflows that can be run here, the project's own first. */
export function WorkflowsPage(): ReactNode {
  usePageTitle('Workflows');
  const { data, error } = useQuery(workflowsQuery);
  const [words, setWords] = useState('');
  useShortcut('/', 'Search', () => document.querySelector<HTMLElement>('[data-search]')?.focus());
  const shown = data?.filter((line) => fits(line, words)) ?? [];
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-4">
      <div className="mb-2 flex items-center gap-3">
        <h1 className="flex-1 text-xl font-semibold">Workflows</h1>
        <TextField
          data-search
          type="search"
          aria-label="Search workflows"
          placeholder="Search workflows"
          className="max-w-56"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {error !== null && <Empty title="The workflows could not be read" why={error.message} />}
      {data !== undefined && shown.length === 0 && <Nothing isSearched={words !== ''} />}
      <ul className="divide-y divide-line border-t border-line">
        {shown.map((line) => (
          <li key={`${line.origin} ${line.name}`}>
            <Line line={line} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const fits = ({ name, description }: WorkflowLine, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${name} ${description}`.toLowerCase().includes(word));

function Nothing({ isSearched }: { readonly isSearched: boolean }): ReactNode {
  if (isSearched) return <Empty title="No workflow fits" why="None matches in its name or description." />;
  return <Empty title="No workflows" why='This project has none yet: "troupe init" writes one to begin with.' />;
}

function Line({ line }: { readonly line: WorkflowLine }): ReactNode {
  const { name, description, origin, file } = line;
  const reason = useRoleReason('start');
  return (
    <div className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <Link to="/workflows/$name" params={{ name }} className="font-medium hover:underline">
            {visibleText(name)}
          </Link>
          <Badge tone={origin === 'project' ? 'accent' : 'neutral'}>{origin}</Badge>
        </p>
        <p className="line-clamp-2 text-muted">{visibleText(description)}</p>
        {file !== null && <p className="truncate font-mono text-xs text-muted">{visibleText(file)}</p>}
      </div>
      <Button disabledReason={reason} onClick={() => overlays.start(name)}>
        Start
      </Button>
    </div>
  );
}
