import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { overlays } from '../shell/overlays.ts';
import { useRoleReason } from '../ui/use-role.ts';
import { Button } from '../ui/controls.tsx';
import { Empty } from '../ui/boxes.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import type { WorkflowLine } from '../../src/protocol/web/workflow-page.ts';
import { workflowsQuery } from '../api/queries.ts';
import { visibleText } from '../ui/text.tsx';

/** The workflows that can be started here, shown while there are no runs: the project's own first. */
function FirstWorkflows(): ReactNode {
  const { data: workflows = null } = useQuery(workflowsQuery);
  if (workflows === null) return null;
  if (workflows.length === 0)
    return (
      <p className="text-muted">
        This project has no workflow yet: <code className="rounded-sm bg-sunken px-1 text-text">troupe init</code>{' '}
        writes one to begin with.
      </p>
    );
  const shown = workflows.toSorted((a, b) => order(a) - order(b)).slice(0, MOST);
  return (
    <section aria-label="Workflows to start with" className="mx-auto w-full max-w-xl px-4 pb-10">
      <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
        {shown.map((workflow) => (
          <WorkflowRow key={workflow.name} workflow={workflow} />
        ))}
      </ul>
      <p className="pt-2 text-sm">
        <Link to="/workflows" className="text-accent underline">
          {workflows.length > MOST ? `See all ${workflows.length} workflows` : 'See how they work'}
        </Link>
      </p>
    </section>
  );
}

const MOST = 5;
const order = ({ origin }: WorkflowLine): number => (origin === 'project' ? 0 : 1);

function WorkflowRow({ workflow: { name, description } }: { readonly workflow: WorkflowLine }): ReactNode {
  return (
    <li>
      <button
        type="button"
        onClick={() => overlays.start(name)}
        className="flex w-full items-center gap-3 px-3 py-2 text-left -outline-offset-2 hover:bg-hover"
      >
        <Play size={14} aria-hidden className="shrink-0 text-accent" />
        <span className="min-w-0">
          <span className="block font-medium">{visibleText(name)}</span>
          <span className="line-clamp-2 text-sm text-muted">{visibleText(description)}</span>
        </span>
      </button>
    </li>
  );
}

interface Props {
  readonly failure: unknown;
  readonly isSearched: boolean;
  readonly onClear: () => void;
}

/** Why the board is empty. */
export function NothingYet({ failure, isSearched, onClear }: Props): ReactNode {
  const startReason = useRoleReason('start');
  if (failure !== null) {
    const { message, hint = '' } = failure instanceof ApiProblem ? failure : { message: 'The page has a fault.' };
    return <Empty title="The runs could not be read" why={`${message} ${hint}`} />;
  }
  if (isSearched)
    return (
      <Empty
        title="No run fits"
        why="No run matches in its title, workflow, id or project."
        action={<Button onClick={onClear}>Show all runs</Button>}
      />
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Empty
        title="No runs yet"
        why={
          <>
            A run is agents at work on this project, step by step as a workflow says. Choose one to see its form, or
            start it in a terminal with <code className="rounded-sm bg-sunken px-1 text-text">troupe run</code>. What it
            does, asks and changes shows here as it happens; none of your files is changed until you take its result.
          </>
        }
        action={
          <Button kind="primary" disabledReason={startReason} onClick={() => overlays.start()}>
            Start a run
          </Button>
        }
      />
      <FirstWorkflows />
    </div>
  );
}
